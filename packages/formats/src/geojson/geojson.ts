import { eventSchema, id, text, uuid } from '@archiefkast/types';
import { z } from 'zod';

const geometry = z
  .strictObject({
    type: z.literal('Point'),
    coordinates: z
      .array(z.number().min(-180).max(180))
      .length(2)
      .meta({ description: 'Longitude and latitude in decimal degrees (WGS 84).' }),
  })
  .nullable()
  .meta({ description: 'Where it is; null when there are no coordinates.' });

/** A location as a feature of GeoJSON (RFC 7946, section 3.2). */
export const locationFeatureSchema = z
  .strictObject({
    type: z.literal('Feature'),
    geometry,
    properties: z.strictObject({
      uuid,
      id,
      url: text("Absolute URL of the location's public page."),
      name: text('Name, in the language of the request.'),
      name_nl: text('Name in Dutch.'),
      name_en: text('Name in English.'),
      summary: text('Summary, in the language of the request.'),
      street: text('Street and number.'),
      zipcode: text('Postal code.'),
      city: text('City.'),
      state: text('Province or state.'),
      land: text('Name of the country.'),
    }),
  })
  .meta({ id: 'LocationFeature', description: 'A location on a map (GeoJSON).' });

/** A location as a feature of GeoJSON. */
export type LocationFeature = z.infer<typeof locationFeatureSchema>;

/** All locations as GeoJSON (RFC 7946, section 3.3). */
export const locationCollectionSchema = z
  .strictObject({ type: z.literal('FeatureCollection'), features: z.array(locationFeatureSchema) })
  .meta({ id: 'LocationCollection', description: 'All locations on a map (GeoJSON).' });

const { date, date_start, date_end } = eventSchema.shape;
const count = z.int().min(0);

/** An event as a feature of GeoJSON (RFC 7946, section 3.2). */
export const eventFeatureSchema = z
  .strictObject({
    type: z.literal('Feature'),
    geometry,
    properties: z.strictObject({
      uuid,
      id,
      url: text("Absolute URL of the event's public page."),
      name: text('Name, in the language of the request.'),
      name_nl: text('Name in Dutch.'),
      name_en: text('Name in English.'),
      summary: text('Summary, in the language of the request.'),
      date,
      date_start,
      date_end,
      year: z.int().nullable().meta({ description: 'Year of its date, or of its first or last day.' }),
      location: uuid.nullable().meta({ description: 'UUID of its location; null when unknown.' }),
      location_name: z.string().nullable().meta({ description: 'Name of its location.' }),
      city: z.string().nullable().meta({ description: 'City of its location.' }),
      persons: count.meta({ description: 'Number of its persons.' }),
      person_names: text('Names of its persons, with commas between.'),
    }),
  })
  .meta({ id: 'EventFeature', description: 'An event on a map (GeoJSON).' });

/** All events as GeoJSON (RFC 7946, section 3.3). */
export const eventCollectionSchema = z
  .strictObject({ type: z.literal('FeatureCollection'), features: z.array(eventFeatureSchema) })
  .meta({ id: 'EventCollection', description: 'All events on a map (GeoJSON).' });
