import type { AbbreviatedEvent } from '@archiefkast/types';
import type { BundleEvent } from '../bundle/record-schemas.ts';
import type { Links } from './links.ts';
import { inLanguage } from './multilingual.ts';
import { presentFile, presentImage } from './present-file.ts';

/**
 * The wire object of an event in its location's `events`.
 *
 * @param subjects uuids of the event's subjects
 */
export function presentAbbreviatedEvent(
  event: BundleEvent,
  subjects: readonly string[],
  links: Links,
): AbbreviatedEvent {
  return {
    id: event.id,
    main_image: presentImage(event.main_image),
    url: links.page('event', event.uuid),
    subjects: links.references('subject', subjects),
    persons: links.references('person', event.persons),
    location: links.reference('location', event.location),
    published: true,
    uuid: event.uuid,
    name: inLanguage(links.language, event.name_nl, event.name_en),
    name_nl: event.name_nl,
    name_en: event.name_en,
    content: inLanguage(links.language, event.content_nl, event.content_en),
    content_nl: event.content_nl,
    content_en: event.content_en,
    summary: inLanguage(links.language, event.summary_nl, event.summary_en),
    summary_nl: event.summary_nl,
    summary_en: event.summary_en,
    date: event.date,
    date_start: event.date_start,
    date_end: event.date_end,
    same_as: null,
    files: event.files.map(presentFile),
  };
}
