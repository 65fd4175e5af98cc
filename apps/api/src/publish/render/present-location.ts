import type { Location } from '@archiefkast/types';
import { slot } from '../../storage/marks.ts';
import type { BundleLocation } from '../bundle/record-schemas.ts';
import type { Links } from './links.ts';
import { inLanguage } from './multilingual.ts';
import { presentFile, presentImage } from './present-file.ts';

/** A location as it is stored: slots stand where its events and subjects go. */
export type StoredLocation = Omit<Location, 'events' | 'subjects'> & { events: string[]; subjects: string[] };

/**
 * The wire object of a location.
 *
 * @param eventIds ids of its published events, rising
 */
export function presentLocation(
  location: BundleLocation,
  eventIds: readonly number[],
  links: Links,
): StoredLocation {
  const { longitude, latitude } = location;
  return {
    id: location.id,
    files: location.files.map(presentFile),
    main_image: presentImage(location.main_image),
    latitude,
    longitude,
    events: [slot('abbreviated_event')],
    subjects: [slot('subject')],
    related_locations: links.references('location', location.related_locations),
    url: links.page('location', location.uuid),
    published: true,
    name: inLanguage(links.language, location.name_nl, location.name_en),
    name_nl: location.name_nl,
    name_en: location.name_en,
    uuid: location.uuid,
    content: inLanguage(links.language, location.content_nl, location.content_en),
    content_nl: location.content_nl,
    content_en: location.content_en,
    position: longitude && latitude ? `SRID=4326;POINT (${longitude} ${latitude})` : '',
    summary: inLanguage(links.language, location.summary_nl, location.summary_en),
    summary_nl: location.summary_nl,
    summary_en: location.summary_en,
    same_as: null,
    street: location.street,
    zipcode: location.zipcode,
    city: location.city,
    state: location.state,
    land: location.land,
    location_events: [...eventIds],
  };
}
