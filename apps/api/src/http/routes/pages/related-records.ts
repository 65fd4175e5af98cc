import type { RecordView } from '@archiefkast/formats/record-view';
import type { Listed, RelatedRecords } from '@archiefkast/site/record-kinds';
import type { Kind } from '@archiefkast/types';
import { locationOf, type Relations } from '../../../edition/record-views.ts';

/** Limits of the lists on a page; search has the rest. */
const MOST_EVENTS = 200;
const MOST_COMPANIONS = 24;
const MOST_ABOUT = 24;
const MOST_NARROWER = 100;
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
      about: { person: about('person'), location: about('location'), event: about('event') },
    };
  },
  location(relations, position) {
    const { items, count } = listRelated(relations, 'event', 'location', position, MOST_EVENTS);
    return {
      events: { items: items.map((event) => ({ event })), count },
      subjects: listReferred(relations, 'subject', 'location', position),
      related: listRelated(relations, 'location', 'related', position, MOST_ABOUT).items,
    };
  },
  event: (relations, position) => ({
    location: locationOf(relations, position),
    persons: listReferred(relations, 'person', 'event', position),
    subjects: listRelated(relations, 'subject', 'event', position, MOST_ABOUT).items,
  }),
};

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

/** The other persons in events, those with most events in common first. */
function companionsIn({ card, referred }: Relations, events: readonly number[], person: number) {
  const shared = new Map<number, number>();
  for (const event of events.toSorted((a, b) => a - b)) {
    for (const other of referred('person', 'event', event)) {
      if (other !== person) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
  }
  return [...shared]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_COMPANIONS)
    .map(([other, count]) => ({ person: card('person', other), events: count }));
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
