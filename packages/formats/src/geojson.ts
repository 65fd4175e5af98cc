import { eventSchema, locationSchema, text, uuid } from '@archiefkast/types';
import { z } from 'zod';
import { type Fields, listOf, nameOfRecord } from './reading.ts';

/** The fields of a location that are properties of its feature, as records have them. */
const LOCATION = fieldsOf(
  locationSchema,
  'uuid id url name name_nl name_en summary street zipcode city state land',
);

const known = (date: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `What is known of ${date}, in EDTF (1650, 1650~, 165X); null for a day.` });

/** The fields of an event that are properties of its feature. */
const EVENT = {
  ...fieldsOf(eventSchema, 'uuid id url name name_nl name_en summary date'),
  date_known: known('date'),
  ...fieldsOf(eventSchema, 'date_start'),
  date_start_known: known('date_start'),
  ...fieldsOf(eventSchema, 'date_end'),
  date_end_known: known('date_end'),
};

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
const locationFeatureSchema = z
  .strictObject({ type: z.literal('Feature'), geometry, properties: z.strictObject(LOCATION) })
  .meta({ id: 'LocationFeature', description: 'A location on a map (GeoJSON).' });

/** All locations as GeoJSON (RFC 7946, section 3.3). */
export const locationCollectionSchema = z
  .strictObject({ type: z.literal('FeatureCollection'), features: z.array(locationFeatureSchema) })
  .meta({ id: 'LocationCollection', description: 'All locations on a map (GeoJSON).' });

/** An event as a feature of GeoJSON (RFC 7946, section 3.2). */
const eventFeatureSchema = z
  .strictObject({
    type: z.literal('Feature'),
    geometry,
    properties: z.strictObject({
      ...EVENT,
      year: z.int().nullable().meta({ description: 'Year of its date, or of its first or last day.' }),
      location: uuid.nullable().meta({ description: 'UUID of its location; null when unknown.' }),
      location_name: z.string().nullable().meta({ description: 'Name of its location.' }),
      city: z.string().nullable().meta({ description: 'City of its location.' }),
      persons: z.int().min(0).meta({ description: 'Number of its persons.' }),
      person_names: text('Names of its persons, with commas between.'),
    }),
  })
  .meta({ id: 'EventFeature', description: 'An event on a map (GeoJSON).' });

/** All events as GeoJSON (RFC 7946, section 3.3). */
export const eventCollectionSchema = z
  .strictObject({ type: z.literal('FeatureCollection'), features: z.array(eventFeatureSchema) })
  .meta({ id: 'EventCollection', description: 'All events on a map (GeoJSON).' });

/** Converts a location to a GeoJSON feature; its geometry is null if the location has no coordinates. */
export function toFeature(location: Fields): object {
  return { type: 'Feature', geometry: pointOf(location), properties: pick(location, LOCATION) };
}

/** Converts an event to a GeoJSON feature; its geometry is null if it has no location with coordinates. */
export function toEventFeature(event: Fields): object {
  const location: Fields = Object(event['location']);
  const persons = listOf(event['persons']);
  const day = event['date'] ?? event['date_start'] ?? event['date_end'];
  return {
    type: 'Feature',
    geometry: pointOf(location),
    properties: {
      ...pick({ date_known: null, date_start_known: null, date_end_known: null, ...event }, EVENT),
      year: day ? Number(String(day).slice(0, 4)) : null,
      location: location['uuid'] ?? null,
      location_name: location['name'] ?? null,
      city: location['city'] ?? null,
      persons: persons.length,
      person_names: persons.map((person) => nameOfRecord(Object(person))).join(', '),
    },
  };
}

function pointOf({ longitude, latitude }: Fields): object | null {
  return longitude && latitude ? { type: 'Point', coordinates: [Number(longitude), Number(latitude)] } : null;
}

/** The schemas of some fields of records. */
function fieldsOf({ shape }: z.ZodObject, names: string): Record<string, z.ZodType> {
  return Object.fromEntries(names.split(' ').map((name) => [name, z.nonoptional(shape[name])]));
}

/** The fields of a record that a shape has, in its order. */
function pick(record: Fields, shape: object): Fields {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, record[name]]));
}
