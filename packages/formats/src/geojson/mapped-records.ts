import { eventSchema, locationSchema } from '@archiefkast/types';
import { z } from 'zod';

/** What a map shows of a location; other fields are dropped, also those that the contract does not know. */
export const mappedLocationSchema = locationSchema
  .pick({
    uuid: true,
    id: true,
    url: true,
    name: true,
    name_nl: true,
    name_en: true,
    summary: true,
    street: true,
    zipcode: true,
    city: true,
    state: true,
    land: true,
    latitude: true,
    longitude: true,
  })
  .strip();

/** What a map shows of a location. */
export type MappedLocation = z.infer<typeof mappedLocationSchema>;

/** What a map shows of an event; other fields are dropped, also those that the contract does not know. */
export const mappedEventSchema = eventSchema
  .pick({
    uuid: true,
    id: true,
    url: true,
    name: true,
    name_nl: true,
    name_en: true,
    summary: true,
    date: true,
    date_start: true,
    date_end: true,
  })
  .strip()
  .extend({
    location: mappedLocationSchema.nullable(),
    persons: z.array(z.object({ title: z.string() })),
  });

/** What a map shows of an event. */
export type MappedEvent = z.infer<typeof mappedEventSchema>;
