import {
  type AbbreviatedEvent,
  abbreviatedEventSchema,
  apiReference,
  type Event,
  type Kind,
  type Language,
  type Location,
  type Person,
  recordPage,
  recordSchemas,
  type Subject,
} from '@archiefkast/types';
import type { z } from 'zod';

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

/** The fields of a schema with empty values: null, no text or an empty list. */
function emptyOf<Schema extends z.ZodObject>({ shape }: Schema): z.infer<Schema> {
  const fields = Object.entries(shape).map(([name, field]) => {
    const schema: z.ZodType = field;
    return [name, [null, '', []].find((value) => schema.safeParse(value).success)];
  });
  return Object.fromEntries(fields);
}

function common(kind: Kind, id: number, { baseUrl, language }: Place) {
  const uuid = uuidOf(kind, id);
  return { id, uuid, url: recordPage(baseUrl, language, kind, uuid), published: true };
}

function reference(kind: Kind, id: number, { baseUrl, language }: Place): string {
  return apiReference(baseUrl, language, kind, uuidOf(kind, id));
}

/** A multilingual field: the text in the language of the place, in Dutch and in English. */
function multilingual<Name extends string, English extends string | null>(
  name: Name,
  { language }: Place,
  nl: string,
  en: English,
) {
  const texts = { [name]: language === 'en' ? en || nl : nl, [`${name}_nl`]: nl, [`${name}_en`]: en };
  return texts as Record<Name | `${Name}_nl`, string> & Record<`${Name}_en`, English>;
}

/** Person `id`, with subject 1. */
export function makePerson(id: number, place: Place): Person {
  return {
    ...emptyOf(recordSchemas.person),
    ...common('person', id, place),
    subjects: [reference('subject', 1, place)],
    first_name: 'Jan',
    last_name: `Bicker - ${id}`,
    ...multilingual('title', place, `Persoon ${id}, "de ${id}e"`, null),
    ...multilingual('content', place, `<p>Leven ${id}</p>\n`, `<p>Life ${id}</p>\n`),
    birth_date: '1600-02-29',
    gender: 'male',
    birth_place: 'Amsterdam',
    birth_country: 'Nederland',
  };
}

/** Subject `id`; all but the first are children of subject 1. */
export function makeSubject(id: number, place: Place): Subject {
  return {
    ...emptyOf(recordSchemas.subject),
    ...common('subject', id, place),
    ...multilingual('name', place, `Onderwerp ${id}`, `Subject ${id}`),
    same_as: [`https://example.org/thesaurus/${id}`, `https://example.org/concepts/${id}`],
    parent: id === 1 ? null : 1,
  };
}

function makeAbbreviatedEvent(id: number, place: Place): AbbreviatedEvent {
  return {
    ...emptyOf(abbreviatedEventSchema),
    ...common('event', id, place),
    subjects: [reference('subject', 1, place)],
    persons: [reference('person', 1, place)],
    location: reference('location', id, place),
    ...multilingual('name', place, `Gebeurtenis ${id}`, `Event ${id}`),
    date: '1650-01-01',
  };
}

/** Location `id`, of event `id`. */
export function makeLocation(id: number, place: Place): Location {
  return {
    ...emptyOf(recordSchemas.location),
    ...common('location', id, place),
    latitude: '52.37',
    longitude: '4.89',
    events: [makeAbbreviatedEvent(id, place)],
    subjects: [makeSubject(1, place)],
    related_locations: [reference('location', 1, place)],
    ...multilingual('name', place, `Plaats ${id}`, `Place ${id}`),
    position: 'SRID=4326;POINT (4.89 52.37)',
    street: 'Dam 1',
    city: 'Amsterdam',
    land: 'Nederland',
    location_events: [id],
  };
}

/** Event `id`, with person 1, at location `id`. */
export function makeEvent(id: number, place: Place): Event {
  const { subjects: _, ...abbreviated } = makeAbbreviatedEvent(id, place);
  return { ...abbreviated, persons: [makePerson(1, place)], location: makeLocation(id, place) };
}

/** Creates a record of any kind. */
export const makeRecord = {
  person: makePerson,
  subject: makeSubject,
  location: makeLocation,
  event: makeEvent,
} as const;
