import type {
  EventRelations,
  ListedRecord,
  LocationRelations,
  Neighbours,
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
export function personRelations(graph: PageGraph, position: number, byName: GraphOrder): PersonRelations {
  const events = related(graph, 'event', 'person', position, 'date');
  const shown = events.slice(0, MOST_EVENTS);
  const subjects = related(graph, 'subject', 'person', position, byName);
  const shared = new Map<number, number>();
  for (const event of shown.toSorted((a, b) => a - b)) {
    for (const other of related(graph, 'person', 'event', event)) {
      if (other !== position) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
  }
  const companions = Array.from(shared, ([other, count]) => ({ other, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_COMPANIONS);
  const locationOf = createLocationLookUp(graph);
  return {
    subjects: list(graph, 'subject', subjects, MOST_ABOUT),
    events: shown.map((event) => ({ event: graph.listed('event', event), location: locationOf(event) })),
    eventCount: events.length,
    companions: companions.map(({ other, count }) => ({
      person: graph.listed('person', other),
      events: count,
    })),
  };
}

/** The related records on the page of a location: events, subjects and related locations. */
export function locationRelations(graph: PageGraph, position: number, byName: GraphOrder): LocationRelations {
  const events = related(graph, 'event', 'location', position, 'date');
  return {
    events: list(graph, 'event', events, MOST_EVENTS).map((event) => ({ event })),
    eventCount: events.length,
    subjects: list(graph, 'subject', related(graph, 'subject', 'location', position)),
    related: list(graph, 'location', related(graph, 'location', 'related', position, byName), MOST_ABOUT),
  };
}

/** The related records on the page of an event: persons, location and subjects. */
export function eventRelations(graph: PageGraph, position: number, byName: GraphOrder): EventRelations {
  return {
    persons: list(graph, 'person', related(graph, 'person', 'event', position)),
    location: createLocationLookUp(graph)(position),
    subjects: list(graph, 'subject', related(graph, 'subject', 'event', position, byName), MOST_ABOUT),
  };
}

/** The related records on the page of a subject: broader and narrower subjects, and records about it. */
export function subjectRelations(graph: PageGraph, position: number, byName: GraphOrder): SubjectRelations {
  const select = (kind: Kind, field: string, order: GraphOrder, most: number): Selection => {
    const found = related(graph, kind, field, position, order);
    return { records: list(graph, kind, found, most), count: found.length };
  };
  const [parent] = graph.related(PARENT, position);
  const narrower = select('subject', 'parent', byName, MOST_NARROWER);
  const siblings = parent === undefined ? [] : related(graph, 'subject', 'parent', parent, byName);
  return {
    siblings: list(
      graph,
      'subject',
      siblings.filter((sibling) => sibling !== position),
      MOST_NARROWER,
    ).map(withoutBroader),
    broader: list(graph, 'subject', findBroader(graph, position)),
    narrower: { ...narrower, records: narrower.records.map(withoutBroader) },
    about: {
      person: select('person', 'subject', byName, MOST_ABOUT),
      location: select('location', 'subject', byName, MOST_ABOUT),
      event: select('event', 'subject', 'date', MOST_ABOUT),
    },
  };
}

/** A subject in a list of those below one. */
function withoutBroader(record: ListedRecord): ListedRecord {
  return record.branch ? { ...record, branch: { narrower: record.branch.narrower } } : record;
}

/** The records before and after one in the list of its kind. */
export function neighbours(graph: PageGraph, kind: Kind, position: number, order: GraphOrder): Neighbours {
  const { previous, next } = graph.neighbours(kind, position, order);
  return {
    previous: previous === undefined ? undefined : graph.listed(kind, previous),
    next: next === undefined ? undefined : graph.listed(kind, next),
  };
}

/** Creates a cached lookup of the locations of events. */
export function createLocationLookUp(graph: PageGraph): (event: number) => ListedRecord | undefined {
  const known = new Map<number, ListedRecord>();
  return (event) => {
    const position = related(graph, 'location', 'event', event)[0];
    if (position === undefined) return undefined;
    const location = known.get(position) ?? graph.listed('location', position);
    known.set(position, location);
    return location;
  };
}

/** The broader subjects, from the top level down to the parent. */
function findBroader(graph: PageGraph, position: number): number[] {
  const broader: number[] = [];
  let [parent] = graph.related(PARENT, position);
  while (parent !== undefined && broader.length < DEEPEST) {
    broader.unshift(parent);
    [parent] = graph.related(PARENT, parent);
  }
  return broader;
}

/** The positions of related records, sorted by `order`, by default in the order of the references. */
function related(
  graph: PageGraph,
  kind: Kind,
  field: string,
  position: number,
  order?: GraphOrder,
): readonly number[] {
  const found = graph.related(endsBetween(kind, field), position);
  return order === undefined ? found : graph.sort(kind, found, order);
}

function list(
  graph: PageGraph,
  kind: Kind,
  positions: readonly number[],
  most = positions.length,
): ListedRecord[] {
  return positions.slice(0, most).map((position) => graph.listed(kind, position));
}
