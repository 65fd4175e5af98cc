import type { BundleRecord, Records } from '@archiefkast/bundle';
import { type Kind, type KnownDates, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { hasSupplements, SUPPLEMENTS, type TextKind, toRenderedText } from '../../storage/stored-texts.ts';
import {
  createLinks,
  type Links,
  presentAbbreviatedEvent,
  presentEvent,
  presentLocation,
  presentPerson,
  presentSubject,
} from './present.ts';

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

/** The rendered text of a record in one language. */
export interface RenderedText {
  language: Language;
  textKind: TextKind;
  text: string;
}

/** Records that another one embeds, in the order of their slot. */
export interface EmbeddedRecords {
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

/** The texts of a record in every language, those of its supplement last. @param texts its long texts: see `setTextsApart` */
export function renderRecord<K extends Kind>(
  kind: K,
  record: ServedRecord[K],
  texts: readonly string[],
  dates: KnownDates,
): RenderedText[] {
  const rendered = PRESENTERS[kind].flatMap(([textKind, present]) =>
    render(textKind, texts, (links) => present(record, links)),
  );
  return hasSupplements(kind) ? [...rendered, ...renderSupplement(kind, record, dates)] : rendered;
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

function render(
  textKind: TextKind,
  texts: readonly string[],
  present: (links: Links) => object,
): RenderedText[] {
  return EVERY_LINKS.map((links) => ({
    language: links.language,
    textKind,
    text: toRenderedText(present(links), texts),
  }));
}

/** What the record of the API cannot say; no text if that is nothing. */
function renderSupplement(
  kind: Supplement['kind'],
  record: ServedRecord[Kind],
  dates: KnownDates,
): RenderedText[] {
  const subjects = 'location' in record && record.location === null ? record.subjects : [];
  const more = {
    ...(Object.keys(dates).length > 0 && { dates }),
    ...(subjects.length > 0 && { subjects: [...subjects] }),
  };
  if (Object.keys(more).length === 0) return [];
  const supplement: Supplement = { kind, id: record.id, uuid: record.uuid, ...more };
  return render(SUPPLEMENTS[kind], [], () => supplement);
}
