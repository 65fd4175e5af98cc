import type {
  EventRelations,
  ListedRecord,
  LocationRelations,
  PersonRelations,
  Selection,
  SubjectRelations,
} from '@archiefkast/site';
import type { Kind } from '@archiefkast/types';
import { endsBetween, type GraphOrder, relationNamed } from '../../../search/index.ts';
import type { PageGraph } from './page-reader.ts';

/** Records of a long list that a page shows; the rest is on pages of search. */
const MOST_EVENTS = 200;
const MOST_COMPANIONS = 24;
const MOST_ABOUT = 24;
const MOST_NARROWER = 100;
/** Subjects above a subject at most: a tree that is deeper is no help to a reader. */
const DEEPEST = 20;

/** The end at which the parent of a subject is. */
const PARENT = [{ relation: relationNamed('subject.parent'), hits: 'target' }] as const;

/** What the page of a person shows beside the person: events, their places, and who shared them. */
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

/** What the page of a location shows beside the location: the events there, subjects and related places. */
export function locationRelations(graph: PageGraph, position: number, byName: GraphOrder): LocationRelations {
  const events = related(graph, 'event', 'location', position, 'date');
  return {
    events: list(graph, 'event', events, MOST_EVENTS).map((event) => ({ event })),
    eventCount: events.length,
    subjects: list(graph, 'subject', related(graph, 'subject', 'location', position)),
    related: list(graph, 'location', related(graph, 'location', 'related', position, byName), MOST_ABOUT),
  };
}

/** What the page of an event shows beside the event: who, where, and its subjects. */
export function eventRelations(graph: PageGraph, position: number, byName: GraphOrder): EventRelations {
  return {
    persons: list(graph, 'person', related(graph, 'person', 'event', position)),
    location: createLocationLookUp(graph)(position),
    subjects: list(graph, 'subject', related(graph, 'subject', 'event', position, byName), MOST_ABOUT),
  };
}

/** What the page of a subject shows beside the subject: what is above, below and about it. */
export function subjectRelations(graph: PageGraph, position: number, byName: GraphOrder): SubjectRelations {
  const select = (kind: Kind, field: string, order: GraphOrder, most: number): Selection => {
    const found = related(graph, kind, field, position, order);
    return { records: list(graph, kind, found, most), count: found.length };
  };
  return {
    broader: list(graph, 'subject', findBroader(graph, position)),
    narrower: select('subject', 'parent', byName, MOST_NARROWER),
    about: {
      person: select('person', 'subject', byName, MOST_ABOUT),
      location: select('location', 'subject', byName, MOST_ABOUT),
      event: select('event', 'subject', 'date', MOST_ABOUT),
    },
  };
}

/** Finds where events were, each place read once. */
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

/** From the top of the tree down to the parent. */
function findBroader(graph: PageGraph, position: number): number[] {
  const broader: number[] = [];
  let [parent] = graph.related(PARENT, position);
  while (parent !== undefined && broader.length < DEEPEST) {
    broader.unshift(parent);
    [parent] = graph.related(PARENT, parent);
  }
  return broader;
}

/** The positions of the records of a kind that a reference binds to a record, in an order or as they are named. */
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
