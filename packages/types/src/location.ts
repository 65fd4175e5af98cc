import { z } from 'zod';
import { abbreviatedEventSchema } from './abbreviated-event.ts';
import { id, multilingual, noSameAs, pageUrl, published, reference, text, uuid } from './fields.ts';
import { fileObjectSchema } from './file-object.ts';
import { subjectSchema } from './subject.ts';

/** Decimal degrees as text; `""` when unknown. */
const degrees = /^(-?\d+(\.\d+)?)?$/;

/** A location, as the list, the detail, search and the event list serve it. */
export const locationSchema = z
  .strictObject({
    id,
    files: z.array(fileObjectSchema).meta({ description: 'Files.' }),
    main_image: fileObjectSchema.nullable().meta({ description: 'Main image, or null.' }),
    latitude: z
      .string()
      .regex(degrees)
      .meta({ description: 'Latitude in decimal degrees (WGS 84), as text.' }),
    longitude: z
      .string()
      .regex(degrees)
      .meta({ description: 'Longitude in decimal degrees (WGS 84), as text.' }),
    events: z
      .array(abbreviatedEventSchema)
      .meta({ description: 'The events at this location, abbreviated, by id.' }),
    subjects: z.array(subjectSchema).meta({ description: 'Subjects of the location, in full.' }),
    related_locations: z.array(reference('location')).meta({ description: 'Related locations.' }),
    url: pageUrl('location'),
    published,
    ...multilingual('name', 'Name.'),
    uuid,
    ...multilingual('content', 'Description (HTML fragment); may be empty.'),
    position: text('"SRID=4326;POINT (<longitude> <latitude>)"; empty when the coordinates are.'),
    ...multilingual('summary', 'Summary.'),
    same_as: noSameAs,
    street: text('Street and number; may be empty.'),
    zipcode: text('Postal code; may be empty.'),
    city: text('City; may be empty.'),
    state: text('Province or state; may be empty.'),
    land: text('Name of the country; may be empty.'),
    location_events: z.array(id).meta({ description: 'id of each event at this location.' }),
  })
  .meta({ id: 'Location', description: 'A location, with the events at it.' });

/** A location. */
export type Location = z.infer<typeof locationSchema>;
