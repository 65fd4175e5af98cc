import {
  type EventRelations,
  type LocationRelations,
  type PageRecord,
  type PersonRelations,
  type SubjectRelations,
  sortDate,
} from '@archiefkast/site';
import type { Kind } from '@archiefkast/types';
import type { Order, Query } from '../../search/index.ts';
import type { PageReader } from './page-reader.ts';

/** Records of a long list that a page shows; the rest is on pages of search. */
const MOST_EVENTS = 200;
const MOST_COMPANIONS = 24;
const MOST_ABOUT = 24;
const MOST_NARROWER = 100;
/** Subjects above a subject at most: a tree that is deeper is no help to a reader. */
const DEEPEST = 20;

/** What the page of a person shows beside the person: events, their places, and who shared them. */
export async function personRelations(reader: PageReader, { record }: Found): Promise<PersonRelations> {
  const [subjects, { records: events, positions, count }] = await Promise.all([
    reader.find(bound('subject', 'person', record), reader.byName, MOST_ABOUT),
    reader.find(bound('event', 'person', record), 'date', MOST_EVENTS),
  ]);
  const embedded = await reader.readEmbedded('event', positions);
  const shared = new Map<string, { person: PageRecord; events: number }>();
  for (const { record: person } of embedded) {
    if (person.kind !== 'person' || person.uuid === record.uuid) continue;
    const known = shared.get(person.uuid);
    shared.set(person.uuid, { person, events: (known?.events ?? 0) + 1 });
  }
  const locations = new Map(
    embedded.flatMap(({ source, record: one }) => (one.kind === 'location' ? [[source, one]] : [])),
  );
  return {
    subjects: subjects.records,
    events: events.map((event, index) => ({ event, location: locations.get(positions[index] ?? 0) })),
    eventCount: count,
    companions: [...shared.values()].toSorted((a, b) => b.events - a.events).slice(0, MOST_COMPANIONS),
  };
}

/** What the page of a location shows beside the location: the events there, subjects and related places. */
export async function locationRelations(
  reader: PageReader,
  { record, position }: Found,
): Promise<LocationRelations> {
  const [embedded, related] = await Promise.all([
    reader.readEmbedded('location', [position]),
    reader.find(bound('location', 'related', record), reader.byName, MOST_ABOUT),
  ]);
  const of = (kind: Kind) => embedded.flatMap(({ record: one }) => (one.kind === kind ? [one] : []));
  const events = of('event').toSorted((a, b) => (sortDate(a) < sortDate(b) ? -1 : 1));
  return {
    events: events.slice(0, MOST_EVENTS).map((event) => ({ event })),
    eventCount: events.length,
    subjects: of('subject'),
    related: related.records,
  };
}

/** What the page of an event shows beside the event: who, where, and its subjects. */
export async function eventRelations(
  reader: PageReader,
  { record, position }: Found,
): Promise<EventRelations> {
  const [embedded, subjects] = await Promise.all([
    reader.readEmbedded('event', [position]),
    reader.find(bound('subject', 'event', record), reader.byName, MOST_ABOUT),
  ]);
  const of = (kind: Kind) => embedded.flatMap(({ record: one }) => (one.kind === kind ? [one] : []));
  return { persons: of('person'), location: of('location')[0], subjects: subjects.records };
}

/** What the page of a subject shows beside the subject: what is above, below and about it. */
export async function subjectRelations(reader: PageReader, { record }: Found): Promise<SubjectRelations> {
  const about = (kind: Kind, order: Order) => reader.find(bound(kind, 'subject', record), order, MOST_ABOUT);
  const [broader, narrower, person, location, event] = await Promise.all([
    findBroader(reader, record),
    reader.find(bound('subject', 'parent', record), reader.byName, MOST_NARROWER),
    about('person', reader.byName),
    about('location', reader.byName),
    about('event', 'date'),
  ]);
  return { broader, narrower, about: { person, location, event } };
}

/** From the top of the tree down to the parent. */
async function findBroader(reader: PageReader, { parent }: PageRecord): Promise<PageRecord[]> {
  const broader: PageRecord[] = [];
  for (let id = parent; typeof id === 'number' && broader.length < DEEPEST; ) {
    const [found] = (await reader.find(numbered('subject', id), 'id', 1)).records;
    if (!found) break;
    broader.unshift(found);
    id = found.parent;
  }
  return broader;
}

/** A record, and where it is in the list of its kind. */
export interface Found {
  record: PageRecord;
  position: number;
}

/** Asks for the records of a kind that a reference binds to a record. */
function bound(kind: Kind, field: string, { uuid }: PageRecord): Query {
  return {
    clauses: [
      { type: 'kind', kind },
      { type: 'reference', field, record: uuid },
    ],
    excluded: [],
  };
}

/** Asks for the record of a kind with this `id`. */
function numbered(kind: Kind, id: number): Query {
  return {
    clauses: [
      { type: 'kind', kind },
      { type: 'value', field: 'id', value: String(id) },
    ],
    excluded: [],
  };
}
