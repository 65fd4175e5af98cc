import {
  type AbbreviatedEvent,
  apiReference,
  type Event,
  type Kind,
  type Language,
  type Location,
  type Person,
  recordPage,
  type Subject,
} from '@archiefkast/types';

/** The address and language of the records. */
export interface Place {
  baseUrl: string;
  language: Language;
}

const FIRST_DIGITS = { person: 'a', subject: 'b', location: 'c', event: 'd' } as const satisfies Record<
  Kind,
  string
>;

/** The uuid of a record, by kind and id. */
export function uuidOf(kind: Kind, id: number): string {
  return `${FIRST_DIGITS[kind]}0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
}

function common(kind: Kind, id: number, { baseUrl, language }: Place) {
  const uuid = uuidOf(kind, id);
  return { id, uuid, url: recordPage(baseUrl, language, kind, uuid), published: true };
}

function reference(kind: Kind, id: number, { baseUrl, language }: Place): string {
  return apiReference(baseUrl, language, kind, uuidOf(kind, id));
}

/** Picks the text of the language. */
function inLanguage({ language }: Place, nl: string, en: string): string {
  return language === 'en' ? en || nl : nl;
}

/** Person `id`, with subject 1. */
export function makePerson(id: number, place: Place): Person {
  const nl = `Persoon ${id}, "de ${id}e"`;
  return {
    ...common('person', id, place),
    image: null,
    pictures: [],
    subjects: [reference('subject', 1, place)],
    first_name: 'Jan',
    last_name: `Bicker - ${id}`,
    infix: '',
    title: inLanguage(place, nl, ''),
    title_nl: nl,
    title_en: null,
    content: inLanguage(place, `<p>Leven ${id}</p>\n`, `<p>Life ${id}</p>\n`),
    content_nl: `<p>Leven ${id}</p>\n`,
    content_en: `<p>Life ${id}</p>\n`,
    birth_date: '1600-02-29',
    death_date: null,
    gender: 'male',
    birth_place: 'Amsterdam',
    birth_country: 'Nederland',
    death_place: '',
    death_country: '',
    summary: '',
    summary_nl: '',
    summary_en: '',
    same_as: null,
    files: [],
  };
}

/** Subject `id`; all but the first are children of subject 1. */
export function makeSubject(id: number, place: Place): Subject {
  return {
    ...common('subject', id, place),
    image: null,
    name: inLanguage(place, `Onderwerp ${id}`, `Subject ${id}`),
    name_nl: `Onderwerp ${id}`,
    name_en: `Subject ${id}`,
    description: '',
    description_nl: '',
    description_en: '',
    summary: '',
    summary_nl: '',
    summary_en: '',
    same_as: [`https://example.org/thesaurus/${id}`, `https://example.org/concepts/${id}`],
    parent: id === 1 ? null : 1,
    files: [],
  };
}

function eventTexts(id: number, place: Place) {
  return {
    name: inLanguage(place, `Gebeurtenis ${id}`, `Event ${id}`),
    name_nl: `Gebeurtenis ${id}`,
    name_en: `Event ${id}`,
    content: '',
    content_nl: '',
    content_en: '',
    date: '1650-01-01',
    date_start: null,
    date_end: null,
    summary: '',
    summary_nl: '',
    summary_en: '',
    same_as: null,
  };
}

function makeAbbreviatedEvent(id: number, place: Place): AbbreviatedEvent {
  return {
    ...common('event', id, place),
    main_image: null,
    subjects: [reference('subject', 1, place)],
    persons: [reference('person', 1, place)],
    location: reference('location', id, place),
    ...eventTexts(id, place),
    files: [],
  };
}

/** Location `id`, of event `id`. */
export function makeLocation(id: number, place: Place): Location {
  return {
    ...common('location', id, place),
    files: [],
    main_image: null,
    latitude: '52.37',
    longitude: '4.89',
    events: [makeAbbreviatedEvent(id, place)],
    subjects: [makeSubject(1, place)],
    related_locations: [reference('location', 1, place)],
    name: inLanguage(place, `Plaats ${id}`, `Place ${id}`),
    name_nl: `Plaats ${id}`,
    name_en: `Place ${id}`,
    content: '',
    content_nl: '',
    content_en: '',
    position: 'SRID=4326;POINT (4.89 52.37)',
    summary: '',
    summary_nl: '',
    summary_en: '',
    same_as: null,
    street: 'Dam 1',
    zipcode: '',
    city: 'Amsterdam',
    state: '',
    land: 'Nederland',
    location_events: [id],
  };
}

/** Event `id`, with person 1, at location `id`. */
export function makeEvent(id: number, place: Place): Event {
  return {
    ...common('event', id, place),
    main_image: null,
    files: [],
    persons: [makePerson(1, place)],
    location: makeLocation(id, place),
    ...eventTexts(id, place),
  };
}

/** Creates a record of any kind. */
export const makeRecord = {
  person: makePerson,
  subject: makeSubject,
  location: makeLocation,
  event: makeEvent,
} as const;
