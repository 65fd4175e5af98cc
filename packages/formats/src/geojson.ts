import { eventSchema, locationSchema } from '@archiefkast/types';
import { text, uuid } from '@archiefkast/types/internal';
import { z } from 'zod';
import { listOf } from './reading-tables/cells.ts';
import { type Fields, nameOfRecord } from './record-names.ts';

/** The fields of a location that are properties of its feature, as records have them. */
const LOCATION = fieldsOf(
  locationSchema,
  'uuid id url name name_nl name_en summary street zipcode city state land',
);

function dateOf(date: string): Record<string, z.ZodType> {
  const description = `What is known of ${date}, in EDTF (1650, 1650~, 165X); null for a day.`;
  return {
    ...fieldsOf(eventSchema, date),
    [`${date}_known`]: z.string().nullable().meta({ description }),
  };
}

const EVENT = {
  ...fieldsOf(eventSchema, 'uuid id url name name_nl name_en summary'),
  ...dateOf('date'),
  ...dateOf('date_start'),
  ...dateOf('date_end'),
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

/** The schema of all records of a kind as GeoJSON: features with these properties (RFC 7946, sections 3.2 and 3.3). */
function collectionOf(
  id: string,
  one: string,
  many: string,
  properties: Readonly<Record<string, z.ZodType>>,
) {
  const feature = z
    .strictObject({ type: z.literal('Feature'), geometry, properties: z.strictObject(properties) })
    .meta({ id: `${id}Feature`, description: `${one} on a map (GeoJSON).` });
  return z
    .strictObject({ type: z.literal('FeatureCollection'), features: z.array(feature) })
    .meta({ id: `${id}Collection`, description: `${many} on a map (GeoJSON).` });
}

export const locationCollectionSchema = collectionOf('Location', 'A location', 'All locations', LOCATION);

export const eventCollectionSchema = collectionOf('Event', 'An event', 'All events', {
  ...EVENT,
  year: z.int().nullable().meta({ description: 'Year of its date, or of its first or last day.' }),
  location: uuid.nullable().meta({ description: 'UUID of its location; null when unknown.' }),
  location_name: z.string().nullable().meta({ description: 'Name of its location.' }),
  city: z.string().nullable().meta({ description: 'City of its location.' }),
  persons: z.int().min(0).meta({ description: 'Number of its persons.' }),
  person_names: text('Names of its persons, with commas between.'),
});

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

function fieldsOf({ shape }: z.ZodObject, names: string): Record<string, z.ZodType> {
  return Object.fromEntries(names.split(' ').map((name) => [name, z.nonoptional(shape[name])]));
}

/** The fields of a record that a shape has, in its order. */
function pick(record: Fields, shape: object): Fields {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, record[name]]));
}
