import { mediaAddress } from '@archiefkast/bundle/media-path';
import {
  type AbbreviatedEvent,
  apiReference,
  type Event,
  type FileObject,
  type Kind,
  type Language,
  type Location,
  type Person,
  recordPage,
  type Subject,
} from '@archiefkast/types';
import { BASE_URL_MARK, slot } from '../../storage/stored-texts.ts';
import type { ServedRecord } from './render-record.ts';

/** Builds links to records in one language, with a mark for the base URL. */
export interface Links {
  language: Language;
  page(kind: Kind, uuid: string): string;
  reference(kind: Kind, uuid: string | null): string | null;
  references(kind: Kind, uuids: readonly string[]): string[];
}

/** Creates links in `language`. */
export function createLinks(language: Language): Links {
  const to = (kind: Kind, uuid: string) => apiReference(BASE_URL_MARK, language, kind, uuid);
  return {
    language,
    page: (kind, uuid) => recordPage(BASE_URL_MARK, language, kind, uuid),
    reference: (kind, uuid) => uuid && to(kind, uuid),
    references: (kind, uuids) => uuids.map((uuid) => to(kind, uuid)),
  };
}

/**
 * The text of a multilingual field: the Dutch text for `nl`; for `en` the English text, or the Dutch one if that is
 * empty or null (docs/contract.md, "Languages").
 */
export function inLanguage(language: Language, dutch: string, english: string | null): string {
  return language === 'en' && english ? english : dutch;
}

/** The wire object of an image or file; a path below MEDIA_DIR becomes a URL. */
function presentFile(file: FileObject): FileObject {
  const { path } = file;
  return {
    id: file.id,
    uuid: file.uuid,
    name: file.name,
    title: file.title,
    alt: file.alt,
    url: file.url,
    path: path === null ? null : mediaAddress(BASE_URL_MARK, path),
    filetype: file.filetype,
    description: file.description,
    author: file.author,
    copyright: file.copyright,
  };
}

/** The wire object of an image; null if there is none. */
function presentImage(image: FileObject | null): FileObject | null {
  return image === null ? null : presentFile(image);
}

/** The wire object of a person. */
export function presentPerson(person: ServedRecord['person'], links: Links): Person {
  return {
    id: person.id,
    image: presentImage(person.image),
    pictures: person.pictures,
    url: links.page('person', person.uuid),
    subjects: links.references('subject', person.subjects),
    published: true,
    uuid: person.uuid,
    first_name: person.first_name,
    last_name: person.last_name,
    infix: person.infix,
    title: inLanguage(links.language, person.title_nl, person.title_en),
    title_nl: person.title_nl,
    title_en: person.title_en,
    content: inLanguage(links.language, person.content_nl, person.content_en),
    content_nl: person.content_nl,
    content_en: person.content_en,
    birth_date: person.birth_date,
    death_date: person.death_date,
    gender: person.gender,
    birth_place: person.birth_place,
    birth_country: person.birth_country,
    death_place: person.death_place,
    death_country: person.death_country,
    summary: inLanguage(links.language, person.summary_nl, person.summary_en),
    summary_nl: person.summary_nl,
    summary_en: person.summary_en,
    same_as: null,
    files: person.files.map(presentFile),
  };
}

/** The wire object of a subject. */
export function presentSubject(subject: ServedRecord['subject'], links: Links): Subject {
  return {
    id: subject.id,
    image: presentImage(subject.image),
    url: links.page('subject', subject.uuid),
    published: true,
    uuid: subject.uuid,
    name: inLanguage(links.language, subject.name_nl, subject.name_en),
    name_nl: subject.name_nl,
    name_en: subject.name_en,
    description: inLanguage(links.language, subject.description_nl, subject.description_en),
    description_nl: subject.description_nl,
    description_en: subject.description_en,
    summary: inLanguage(links.language, subject.summary_nl, subject.summary_en),
    summary_nl: subject.summary_nl,
    summary_en: subject.summary_en,
    same_as: subject.same_as,
    parent: subject.parent,
    files: subject.files.map(presentFile),
  };
}

/** A location as stored, with slots for its events and subjects. */
type StoredLocation = Omit<Location, 'events' | 'subjects'> & { events: string[]; subjects: string[] };

/** The wire object of a location. */
export function presentLocation(location: ServedRecord['location'], links: Links): StoredLocation {
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
    location_events: location.events.map(({ id }) => id),
  };
}

/** An event as stored, with slots for its persons and location. */
type StoredEvent = Omit<Event, 'persons' | 'location'> & {
  persons: string[];
  location: string | null;
};

/** The wire object of an event. */
export function presentEvent(event: ServedRecord['event'], links: Links): StoredEvent {
  return {
    id: event.id,
    main_image: presentImage(event.main_image),
    files: event.files.map(presentFile),
    persons: [slot('person')],
    location: event.location === null ? null : slot('location'),
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

/** The wire object of an event in its location's `events`. */
export function presentAbbreviatedEvent(event: ServedRecord['event'], links: Links): AbbreviatedEvent {
  return {
    id: event.id,
    main_image: presentImage(event.main_image),
    url: links.page('event', event.uuid),
    subjects: links.references('subject', event.subjects),
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
