import type { BundleRecord, Records } from '@archiefkast/bundle';
import { mediaAddress } from '@archiefkast/bundle/media-path';
import {
  type AbbreviatedEvent,
  apiReference,
  type Event,
  type FileObject,
  type Kind,
  type KnownDates,
  LANGUAGES,
  type Language,
  type Location,
  type Person,
  type PictureSize,
  recordPage,
  type Subject,
  type Supplement,
} from '@archiefkast/types';
import { type Fields, REFERENCE_FIELDS } from '@archiefkast/types/internal';
import { BASE_URL_MARK, SUPPLEMENTS, slot, type TextKind, toRenderedText } from '../storage/stored-texts.ts';

/**
 * A record of a bundle as it is served: all that its texts are rendered from. References to records that are not served are
 * left out, and what others say of a record is filled in.
 */
export interface ServedRecord {
  person: BundleRecord['person'];
  subject: BundleRecord['subject'];
  location: Omit<BundleRecord['location'], 'events'> & {
    /** Its events, by id. */
    events: { id: number; uuid: string }[];
  };
  event: BundleRecord['event'] & { subjects: string[] };
}

/** Creates the function that makes a record of a checked bundle as it is served. */
export function createServing(records: Records) {
  const served = (kind: Kind, uuids: readonly string[]) =>
    uuids.filter((uuid) => records.isServed(kind, uuid));
  const serving: { [K in Kind]: (record: BundleRecord[K]) => ServedRecord[K] } = {
    person: (person) => ({ ...person, subjects: served('subject', person.subjects) }),
    subject: (subject) => ({
      ...subject,
      parent:
        subject.parent !== null && records.byId.subject.get(subject.parent)?.position ? subject.parent : null,
    }),
    location: (location) => {
      const known = records.find('location', location.uuid);
      const events = (known && records.eventsAt.get(known)) ?? [];
      return {
        ...location,
        subjects: served('subject', location.subjects),
        related_locations: served('location', location.related_locations),
        events: events.map(({ id, uuid }) => ({ id, uuid })),
      };
    },
    event: (event) => ({
      ...event,
      subjects: served('subject', event.subjects ?? records.subjectsOf.get(event.uuid) ?? []),
      persons: served('person', event.persons),
      location:
        event.location !== null && records.isServed('location', event.location) ? event.location : null,
    }),
  };
  return <K extends Kind>(kind: K, record: BundleRecord[K]): ServedRecord[K] => serving[kind](record);
}

/** Builds links to records in one language, with a mark for the base URL. */
interface Links {
  language: Language;
  page(kind: Kind, uuid: string): string;
  reference(kind: Kind, uuid: string | null): string | null;
  references(kind: Kind, uuids: readonly string[]): string[];
}

/** Creates links in `language`. */
function createLinks(language: Language): Links {
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
function inLanguage(language: Language, dutch: string, english: string | null): string {
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
function presentPerson(person: ServedRecord['person'], links: Links): Person {
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
function presentSubject(subject: ServedRecord['subject'], links: Links): Subject {
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
function presentLocation(location: ServedRecord['location'], links: Links): StoredLocation {
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
function presentEvent(event: ServedRecord['event'], links: Links): StoredEvent {
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
function presentAbbreviatedEvent(event: ServedRecord['event'], links: Links): AbbreviatedEvent {
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

/** The rendered text of a record in one language. */
interface RenderedText {
  language: Language;
  textKind: TextKind;
  text: string;
}

/** Records that another one embeds, in the order of their slot. */
interface EmbeddedRecords {
  textKind: TextKind;
  kind: Kind;
  uuids: readonly string[];
}

const EVERY_LINKS = LANGUAGES.map(createLinks);

/** The text kinds of each kind, and what writes them. */
const PRESENTERS: {
  [K in Kind]: readonly (readonly [TextKind, (record: ServedRecord[K], links: Links) => object])[];
} = {
  person: [['person', presentPerson]],
  subject: [['subject', presentSubject]],
  location: [['location', presentLocation]],
  event: [
    ['event', presentEvent],
    ['abbreviated_event', presentAbbreviatedEvent],
  ],
};

/** The texts of a record in every language. */
export function renderRecord<K extends Kind>(
  kind: K,
  record: ServedRecord[K],
  dates: KnownDates,
  sizes: readonly PictureSize[],
  note?: Supplement['note'],
): RenderedText[] {
  const rendered = PRESENTERS[kind].flatMap(([textKind, present]) =>
    render(textKind, (links) => present(record, links)),
  );
  return [...rendered, ...renderSupplement(kind, record, dates, sizes, note)];
}

/** The records that a record embeds. */
export function embeddedIn(record: ServedRecord[Kind]): EmbeddedRecords[] {
  if ('events' in record) {
    const events = record.events.map(({ uuid }) => uuid);
    return [
      { textKind: 'abbreviated_event', kind: 'event', uuids: events },
      { textKind: 'subject', kind: 'subject', uuids: record.subjects },
    ];
  }
  if (!('persons' in record)) return [];
  return [
    { textKind: 'person', kind: 'person', uuids: record.persons },
    { textKind: 'location', kind: 'location', uuids: record.location === null ? [] : [record.location] },
  ];
}

/**
 * The records that a record names where it is shown to harvesters, each by uuid and hash of its names: those that it refers to, and for
 * a location, as that goes both ways, those that name it as related.
 */
export function namedIn(kind: Kind, record: ServedRecord[Kind], records: Records): string[] {
  const fields: Fields = { ...record };
  const referred = REFERENCE_FIELDS[kind].flatMap(({ name, target }) =>
    [fields[name]].flat().flatMap((reference) => {
      if (typeof reference === 'number') return records.byId[target].get(reference) ?? [];
      return typeof reference === 'string' ? (records.find(target, reference) ?? []) : [];
    }),
  );
  const relating = (records.relatedTo.get(record.uuid) ?? []).filter(({ position }) => position !== 0);
  const named = [...referred, ...relating.toSorted((a, b) => a.id - b.id)];
  return named.map(({ uuid, names }) => `${uuid} ${names}`);
}

function render(textKind: TextKind, present: (links: Links) => object): RenderedText[] {
  return EVERY_LINKS.map((links) => ({
    language: links.language,
    textKind,
    text: toRenderedText(present(links)),
  }));
}

/** What the record of the API cannot say; no text if that is nothing. */
function renderSupplement(
  kind: Kind,
  record: ServedRecord[Kind],
  dates: KnownDates,
  sizes: readonly PictureSize[],
  note: Supplement['note'],
): RenderedText[] {
  const subjects = 'location' in record && record.location === null ? record.subjects : [];
  const more = {
    ...(Object.keys(dates).length > 0 && { dates }),
    ...(subjects.length > 0 && { subjects: [...subjects] }),
    ...(sizes.length > 0 && { pictures: [...sizes] }),
    ...(note && { note }),
  };
  if (Object.keys(more).length === 0) return [];
  const supplement: Supplement = { kind, id: record.id, uuid: record.uuid, ...more };
  return render(SUPPLEMENTS[kind], () => supplement);
}
