import { eventSchema, id, locationSchema, text, uuid } from '@archiefkast/types';
import { z } from 'zod';

/** Properties of a location; other fields are dropped, including unknown ones. */
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

/** Properties of a location. */
export type MappedLocation = z.infer<typeof mappedLocationSchema>;

/** Properties of an event; other fields are dropped, including unknown ones. */
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

/** Properties of an event. */
export type MappedEvent = z.infer<typeof mappedEventSchema>;

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
const eventFeatureSchema = z
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

/** An event as a feature of GeoJSON. */
export type EventFeature = z.infer<typeof eventFeatureSchema>;

/** All events as GeoJSON (RFC 7946, section 3.3). */
export const eventCollectionSchema = z
  .strictObject({ type: z.literal('FeatureCollection'), features: z.array(eventFeatureSchema) })
  .meta({ id: 'EventCollection', description: 'All events on a map (GeoJSON).' });

/**
 * Converts a location to a GeoJSON feature (RFC 7946, section 3.2).
 *
 * @returns the feature; its geometry is null if the location has no coordinates
 */
export function toFeature(location: MappedLocation): LocationFeature {
  return {
    type: 'Feature',
    geometry: pointOf(location),
    properties: {
      uuid: location.uuid,
      id: location.id,
      url: location.url,
      name: location.name,
      name_nl: location.name_nl,
      name_en: location.name_en,
      summary: location.summary,
      street: location.street,
      zipcode: location.zipcode,
      city: location.city,
      state: location.state,
      land: location.land,
    },
  };
}

/**
 * Converts an event to a GeoJSON feature at its location.
 *
 * @returns the feature; its geometry is null if the event has no location with coordinates
 */
export function toEventFeature(event: MappedEvent): EventFeature {
  const { location } = event;
  const date = event.date ?? event.date_start ?? event.date_end;
  return {
    type: 'Feature',
    geometry: location && pointOf(location),
    properties: {
      uuid: event.uuid,
      id: event.id,
      url: event.url,
      name: event.name,
      name_nl: event.name_nl,
      name_en: event.name_en,
      summary: event.summary,
      date: event.date,
      date_start: event.date_start,
      date_end: event.date_end,
      year: date ? Number(date.slice(0, 4)) : null,
      location: location?.uuid ?? null,
      location_name: location?.name ?? null,
      city: location?.city ?? null,
      persons: event.persons.length,
      person_names: event.persons.map(({ title }) => title).join(', '),
    },
  };
}

function pointOf({ longitude, latitude }: MappedLocation): EventFeature['geometry'] {
  return longitude && latitude ? { type: 'Point', coordinates: [Number(longitude), Number(latitude)] } : null;
}
