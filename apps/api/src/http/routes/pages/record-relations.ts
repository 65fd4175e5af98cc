import type {
  EventRelations,
  LocationRelations,
  PageRecord,
  PersonRelations,
  Selection,
  SubjectRelations,
} from '@archiefkast/site';
import type { Kind } from '@archiefkast/types';
import { endsBetween, type GraphOrder } from '../../../search/index.ts';
import { PARENT, type PageGraph } from './page-reader.ts';

/** Limits of the lists on a page; search has the rest. */
const MOST_EVENTS = 200;
const MOST_COMPANIONS = 24;
const MOST_ABOUT = 24;
const MOST_NARROWER = 100;
/** Limit of the broader subjects. */
const DEEPEST = 20;

/** The related records on the page of a person: events with their locations, subjects, and persons with shared events. */
export function personRelations(look: PageGraph, position: number): PersonRelations {
  const events = related(look, 'event', 'person', position, 'date');
  const shown = events.slice(0, MOST_EVENTS);
  const shared = new Map<number, number>();
  for (const event of shown.toSorted((a, b) => a - b)) {
    for (const other of related(look, 'person', 'event', event)) {
      if (other !== position) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
  }
  const companions = [...shared].toSorted(([, a], [, b]) => b - a).slice(0, MOST_COMPANIONS);
  return {
    subjects: list(look, 'subject', related(look, 'subject', 'person', position, look.byName), MOST_ABOUT),
    events: shown.map((event) => ({ event: look.listed('event', event), location: locationOf(look, event) })),
    eventCount: events.length,
    companions: companions.map(([other, count]) => ({ person: look.listed('person', other), events: count })),
  };
}

/** The related records on the page of a location: events, subjects and related locations. */
export function locationRelations(look: PageGraph, position: number): LocationRelations {
  const events = related(look, 'event', 'location', position, 'date');
  return {
    events: list(look, 'event', events, MOST_EVENTS).map((event) => ({ event })),
    eventCount: events.length,
    subjects: list(look, 'subject', related(look, 'subject', 'location', position)),
    related: list(look, 'location', related(look, 'location', 'related', position, look.byName), MOST_ABOUT),
  };
}

/** The related records on the page of an event: persons, location and subjects. */
export function eventRelations(look: PageGraph, position: number): EventRelations {
  return {
    persons: list(look, 'person', related(look, 'person', 'event', position)),
    location: locationOf(look, position),
    subjects: list(look, 'subject', related(look, 'subject', 'event', position, look.byName), MOST_ABOUT),
  };
}

/** The related records on the page of a subject: broader and narrower subjects, and records about it. */
export function subjectRelations(look: PageGraph, position: number): SubjectRelations {
  const select = (kind: Kind, field: string, order: GraphOrder, most: number): Selection => {
    const found = related(look, kind, field, position, order);
    return { records: list(look, kind, found, most), count: found.length };
  };
  const broader: number[] = [];
  let [parent] = look.graph.related(PARENT, position);
  const siblings = parent === undefined ? [] : related(look, 'subject', 'parent', parent, look.byName);
  const others = siblings.filter((sibling) => sibling !== position);
  while (parent !== undefined && broader.length < DEEPEST) {
    broader.unshift(parent);
    [parent] = look.graph.related(PARENT, parent);
  }
  const narrower = select('subject', 'parent', look.byName, MOST_NARROWER);
  return {
    siblings: list(look, 'subject', others, MOST_NARROWER).map(withoutBroader),
    broader: list(look, 'subject', broader),
    narrower: { ...narrower, records: narrower.records.map(withoutBroader) },
    about: {
      person: select('person', 'subject', look.byName, MOST_ABOUT),
      location: select('location', 'subject', look.byName, MOST_ABOUT),
      event: select('event', 'subject', 'date', MOST_ABOUT),
    },
  };
}

/** A subject in a list of those below one. */
function withoutBroader(record: PageRecord): PageRecord {
  return record.branch ? { ...record, branch: { narrower: record.branch.narrower } } : record;
}

/** The location of an event. */
export function locationOf(look: PageGraph, event: number): PageRecord | undefined {
  const [position] = related(look, 'location', 'event', event);
  return position === undefined ? undefined : look.listed('location', position);
}

/** The positions of related records, sorted by `order`, by default in the order of the references. */
function related(
  { graph }: PageGraph,
  kind: Kind,
  field: string,
  position: number,
  order?: GraphOrder,
): number[] {
  const found = graph.related(endsBetween(kind, field), position);
  return order === undefined ? found : graph.sort(kind, found, order);
}

function list({ listed }: PageGraph, kind: Kind, positions: readonly number[], most?: number): PageRecord[] {
  return positions.slice(0, most).map((position) => listed(kind, position));
}
