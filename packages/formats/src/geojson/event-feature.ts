import type { MappedEvent } from './mapped-records.ts';

/** An event as a feature of GeoJSON (RFC 7946, section 3.2), where its location is. */
export interface EventFeature {
  type: 'Feature';
  geometry: { type: 'Point'; coordinates: number[] } | null;
  properties: Readonly<Record<string, string | number | null>>;
}

/**
 * An event as a GeoJSON feature: a point where it took place.
 *
 * @returns the feature; its geometry is null where the event has no location, or that has no coordinates
 */
export function toEventFeature(event: MappedEvent): EventFeature {
  const { location } = event;
  const date = event.date ?? event.date_start ?? event.date_end;
  return {
    type: 'Feature',
    geometry:
      location?.longitude && location.latitude
        ? { type: 'Point', coordinates: [Number(location.longitude), Number(location.latitude)] }
        : null,
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
