import { z } from 'zod';
import { id, text, uuid } from './fields.ts';

/** A location as a feature of GeoJSON (RFC 7946, section 3.2). */
export const locationFeatureSchema = z
  .strictObject({
    type: z.literal('Feature'),
    geometry: z
      .strictObject({
        type: z.literal('Point'),
        coordinates: z
          .array(z.number().min(-180).max(180))
          .length(2)
          .meta({ description: 'Longitude and latitude in decimal degrees (WGS 84).' }),
      })
      .nullable()
      .meta({ description: 'Where it is; null when the location has no coordinates.' }),
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
