import type { LocationFeature } from './geojson.ts';
import type { MappedLocation } from './mapped-records.ts';

/**
 * A location as a GeoJSON feature (RFC 7946, section 3.2).
 *
 * @returns the feature; its geometry is null where the location has no coordinates
 */
export function toFeature(location: MappedLocation): LocationFeature {
  const { longitude, latitude } = location;
  return {
    type: 'Feature',
    geometry:
      longitude && latitude ? { type: 'Point', coordinates: [Number(longitude), Number(latitude)] } : null,
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
