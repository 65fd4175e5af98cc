import { type RecordView, sortedDateOf } from '@archiefkast/formats/record-view';
import type { Listed, RelatedRecords } from '@archiefkast/site/record-kinds';
import type { Kind } from '@archiefkast/types';
import { locationOf, type Relations } from '../../../edition/record-views.ts';

/** Limits of the lists on a page; search has the rest. */
const MOST_EVENTS = 200;
const MOST_COMPANIONS = 24;
const MOST_ABOUT = 24;
const MOST_NARROWER = 100;
const MOST_NEAR = 6;
const MOST_HERE = 12;
/** Limits of the events before and after one at its location. */
const MOST_AROUND = 3;
/** Limit of the broader subjects. */
const DEEPEST = 20;

/** Collects what the page of a record shows of others. */
export function collectRelated<Of extends Kind>(
  relations: Relations,
  kind: Of,
  position: number,
): RelatedRecords[Of] {
  return COLLECTORS[kind](relations, position);
}

const COLLECTORS: {
  readonly [Of in Kind]: (relations: Relations, position: number) => RelatedRecords[Of];
} = {
  person(relations, position) {
    const events = positionsOf(relations, 'event', 'person', position);
    const shown = events.slice(0, MOST_EVENTS);
    return {
      events: {
        items: shown.map((event) => ({
          event: relations.card('event', event),
          location: locationOf(relations, event),
        })),
        count: events.length,
      },
      companions: companionsIn(relations, shown, position),
      subjects: listRelated(relations, 'subject', 'person', position, MOST_ABOUT).items,
    };
  },
  subject(relations, position) {
    const { card } = relations;
    const broader = ancestorsOf(relations, position);
    const parent = broader.at(-1);
    const below = parent === undefined ? [] : positionsOf(relations, 'subject', 'parent', parent);
    const about = (kind: Kind) => listRelated(relations, kind, 'subject', position, MOST_ABOUT);
    return {
      broader: broader.map((each) => card('subject', each)),
      narrower: listRelated(relations, 'subject', 'parent', position, MOST_NARROWER),
      siblings: below
        .filter((each) => each !== position)
        .slice(0, MOST_NARROWER)
        .map((each) => card('subject', each)),
      below: relations.graph.below(position),
      about: { person: about('person'), location: about('location'), event: about('event') },
    };
  },
  location(relations, position) {
    const { card, graph, timeline } = relations;
    const events = timeline(position);
    const shown = Array.from(events.subarray(0, MOST_EVENTS));
    return {
      events: { items: shown.map((event) => ({ event: card('event', event) })), count: events.length },
      persons: companionsIn(relations, shown).slice(0, MOST_HERE),
      subjects: listReferred(relations, 'subject', 'location', position),
      related: listRelated(relations, 'location', 'related', position, MOST_ABOUT).items,
      near: graph.near(position, MOST_NEAR).map(({ position: other, metres }) => ({
        location: card('location', other),
        metres,
      })),
    };
  },
  event(relations, position) {
    const { referred, card, timeline } = relations;
    const [at] = referred('location', 'event', position);
    const events = at === undefined ? new Uint32Array() : timeline(at);
    const own = events.indexOf(position);
    const listed = (found: Uint32Array) => Array.from(found, (event) => card('event', event));
    return {
      location: at === undefined ? undefined : card('location', at),
      persons: listReferred(relations, 'person', 'event', position),
      subjects: listRelated(relations, 'subject', 'event', position, MOST_ABOUT).items,
      before: listed(events.subarray(Math.max(0, own - MOST_AROUND), Math.max(0, own))),
      after: listed(events.subarray(own + 1, own + 1 + MOST_AROUND)),
    };
  },
};

/** The locations that are the towns which a record names, by name; of an event, that of its location. A town does not name itself. */
export function townsOf(
  relations: Relations,
  kind: Kind,
  record: RecordView,
  position: number,
): ReadonlyMap<string, RecordView> {
  const { city } = (kind === 'event' ? locationOf(relations, position) : record) ?? {};
  const towns = new Map<string, RecordView>();
  for (const name of [record.birth_place, record.death_place, city]) {
    const town = relations.townNamed(name);
    if (name && town && town.uuid !== record.uuid) towns.set(name, town);
  }
  return towns;
}

/** The positions of the related records of a kind, in the order of its list. */
function positionsOf(
  { graph, orderOf, referred }: Relations,
  kind: Kind,
  field: string,
  position: number,
): number[] {
  return graph.sort(kind, referred(kind, field, position), orderOf(kind));
}

/** The first of the related records of a kind in the order of its list, and the number of all. */
function listRelated(
  relations: Relations,
  kind: Kind,
  field: string,
  position: number,
  most: number,
): Listed {
  const found = positionsOf(relations, kind, field, position);
  return { items: found.slice(0, most).map((each) => relations.card(kind, each)), count: found.length };
}

/** The related records of a kind in the order of the references. */
function listReferred(
  { card, referred }: Relations,
  kind: Kind,
  field: string,
  position: number,
): RecordView[] {
  return referred(kind, field, position).map((each) => card(kind, each));
}

/** The persons in events, which are by date, but for one: those with most events first. */
function companionsIn({ card, referred }: Relations, events: readonly number[], person?: number) {
  const shared = new Map<number, number[]>();
  for (const event of events) {
    for (const other of referred('person', 'event', event)) {
      if (other === person) continue;
      const together = shared.get(other);
      if (together) together.push(event);
      else shared.set(other, [event]);
    }
  }
  return [...shared]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_COMPANIONS)
    .map(([other, found]) => {
      const dates = found
        .map((event) => sortedDateOf(card('event', event)))
        .filter((date) => date !== undefined);
      return { person: card('person', other), events: found.length, first: dates[0], last: dates.at(-1) };
    });
}

/** The positions of the broader subjects, from the top of the hierarchy. */
function ancestorsOf({ referred }: Relations, subject: number): number[] {
  const broader: number[] = [];
  let [parent] = referred('subject', 'broader', subject);
  while (parent !== undefined && broader.length < DEEPEST) {
    broader.unshift(parent);
    [parent] = referred('subject', 'broader', parent);
  }
  return broader;
}
