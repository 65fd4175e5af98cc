import type { Event } from '@archiefkast/types';
import { slot } from '../../storage/marks.ts';
import type { BundleEvent } from '../bundle/record-schemas.ts';
import type { Links } from './links.ts';
import { inLanguage } from './multilingual.ts';
import { presentFile, presentImage } from './present-file.ts';

/** An event as it is stored: slots stand where its persons and its location go. */
export type StoredEvent = Omit<Event, 'persons' | 'location'> & {
  persons: string[];
  location: string | null;
};

/** The wire object of an event. */
export function presentEvent(event: BundleEvent, links: Links): StoredEvent {
  return {
    id: event.id,
    main_image: presentImage(event.main_image),
    files: event.files.map(presentFile),
    persons: [slot('person')],
    location: links.reference('location', event.location) === null ? null : slot('location'),
    url: links.page('event', event.uuid),
    published: true,
    uuid: event.uuid,
    name: inLanguage(links.language, event.name_nl, event.name_en),
    name_nl: event.name_nl,
    name_en: event.name_en,
    content: inLanguage(links.language, event.content_nl, event.content_en),
    content_nl: event.content_nl,
    content_en: event.content_en,
    date: event.date,
    date_start: event.date_start,
    date_end: event.date_end,
    summary: inLanguage(links.language, event.summary_nl, event.summary_en),
    summary_nl: event.summary_nl,
    summary_en: event.summary_en,
    same_as: null,
  };
}
