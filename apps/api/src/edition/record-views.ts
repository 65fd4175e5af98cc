import { type FoundRecord, nameOf, type RecordView, toRecordView } from '@archiefkast/formats/record-view';
import type { Kind, Language } from '@archiefkast/types';
import { byteLengthOf, type Caches } from '../cache.ts';
import {
  endsBetween,
  fold,
  type GraphOrder,
  type Order,
  type Query,
  type RecordGraph,
  relationNamed,
} from '../search/index.ts';
import type { RecordKey } from '../storage/edition.ts';
import { parseSupplement, SUPPLEMENTS, withoutMarks } from '../storage/stored-texts.ts';
import type { TextQueries } from '../storage/texts.ts';
import type { OpenEdition } from './open-editions.ts';

/** Creates the reader of an edition in a language. */
export type OpenRecordViews = ReturnType<typeof createRecordViews>;

/** Reads records of an edition for readers in a language, without embedded records, and their relations. */
export type RecordViews = ReturnType<OpenRecordViews>;

/** The relations between the records of an edition, read from its index in the calling thread. */
export interface Relations {
  graph: RecordGraph;
  /** The order of the list of a kind: events by date, others by name in the language of the reader. */
  orderOf(kind: Kind): GraphOrder;
  /** The cached summary of a record: what lists show of it; of a subject, with its place in the hierarchy. */
  card(kind: Kind, position: number): RecordView;
  /**
   * The positions of the records of a kind that are related to one, in the order of its references, then of the list of those
   * that refer to it.
   *
   * @param field as in a query; `broader` for the parent of a subject
   */
  referred(kind: Kind, field: string, position: number): number[];
  /** The location that is a town, as its name says; undefined if there is none. */
  townNamed(name: string | undefined): RecordView | undefined;
  /** The events at a location by date; kept, as each event of a busy place asks for them. */
  timeline(location: number): Uint32Array;
}

/** The relation of a subject to its parent, and that end of it. */
const BROADER = relationNamed('subject.parent');
const PARENT = [{ relation: BROADER, hits: 'target' }] as const;

const EVENTS_AT = endsBetween('event', 'location');

/** Creates readers that share a cache. @param baseUrl that of addresses in their texts */
export function createRecordViews(queries: TextQueries, baseUrl: string, caches: Caches) {
  // Its characters as JSON, and as much for its objects.
  const cards = caches.open<RecordView>('cards', (card) => JSON.stringify(card).length * 2);

  const timelines = caches.open<Uint32Array>('timelines', byteLengthOf);

  return ({ edition, search }: OpenEdition, language: Language) => {
    function parse(kind: Kind, text: string, supplement?: string): RecordView {
      const record = JSON.parse(withoutMarks(text, baseUrl));
      return toRecordView(kind, record, supplement === undefined ? {} : parseSupplement(supplement));
    }

    /** The record with this UUID (lower case), and its position; undefined if it does not exist. */
    async function findByUuid(kind: Kind, uuid: string) {
      const found = await queries.findText(edition.id, language, kind, uuid);
      return found && { record: parse(kind, found.text, found.supplement), position: found.position };
    }

    /** The key of the record with this UUID (lower case); undefined if it does not exist. */
    const findKey = (uuid: string): Promise<RecordKey | undefined> => queries.findRecord(edition.id, uuid);

    /** The records with these keys, in order, each with its key. A record that cannot be shown is omitted. */
    async function list<Key extends RecordKey>(
      keys: readonly Key[],
    ): Promise<{ record: RecordView; key: Key }[]> {
      const supplements = keys.map(({ kind, position }) => ({ kind: SUPPLEMENTS[kind], position }));
      const texts = await queries.listTexts(edition.id, language, [...keys, ...supplements]);
      const byKey = new Map(texts.map(({ textKind, position, text }) => [`${textKind} ${position}`, text]));
      return keys.flatMap((key) => {
        const { kind, position } = key;
        const text = byKey.get(`${kind} ${position}`);
        if (text === undefined) return [];
        const supplement = byKey.get(`${SUPPLEMENTS[kind]} ${position}`);
        // The page of an invalid record fails, and logs the error.
        try {
          return [{ record: parse(kind, text, supplement), key }];
        } catch {
          return [];
        }
      });
    }

    /** Looks up relations, synchronously: see `SearchIndex`. */
    function look<Found>(query: (relations: Relations) => Found): Promise<Found> {
      return search.ask((index) =>
        index.look((graph) => {
          const card = (kind: Kind, position: number) =>
            cards.get(`${edition.key} ${kind} ${position}`, () => readCard(graph, kind, position));
          return query({
            graph,
            orderOf: (kind) => (kind === 'event' ? 'date' : `name_${language}`),
            card,
            townNamed(name) {
              const town = name ? graph.town(fold(name)) : undefined;
              return town === undefined ? undefined : card('location', town);
            },
            referred: (kind, field, position) =>
              graph.related(field === 'broader' ? PARENT : endsBetween(kind, field), position),
            timeline: (location) =>
              timelines.get(`${edition.key} ${location}`, () =>
                Uint32Array.from(graph.sort('event', graph.related(EVENTS_AT, location), 'date')),
              ),
          });
        }),
      );
    }

    /** The top-level subjects, by name, each with those right below it that have most records. @param most of these for all */
    async function listTop(most = 0): Promise<{ subject: RecordView; narrower: RecordView[] }[]> {
      const top = await look(({ graph, card }) => {
        const roots = graph.roots(BROADER);
        const each = Math.floor(most / Math.max(1, roots.length));
        return roots.map((position) => ({
          subject: card('subject', position),
          narrower: graph.largestNarrower(position, each).map((below) => card('subject', below)),
        }));
      });
      const name = ({ subject }: { subject: RecordView }) => nameOf(subject, language).text;
      return top.toSorted((a, b) => name(a).localeCompare(name(b), language));
    }

    /** Records that match a query, and the number of all of them. */
    async function listHits(
      query: Query,
      limit: number,
      { order, offset = 0 }: { order?: Order | undefined; offset?: number } = {},
    ): Promise<{ found: FoundRecord[]; count: number }> {
      const ordered = { ...query, ...(order && { order }) };
      const { count, hits } = await search.ask((index) => index.search(ordered, offset, limit));
      const records = await list(hits);
      const found = await look((relations) =>
        records.map(({ record, key: { kind, position } }): FoundRecord => {
          if (kind === 'event') return { record, location: locationOf(relations, position) };
          const { branch } = kind === 'subject' ? relations.card(kind, position) : record;
          return { record: branch ? { ...record, branch } : record };
        }),
      );
      return { found, count };
    }

    return { findByUuid, findKey, list, listTop, listHits, look };
  };
}

/** The location of an event. @param position that of the event */
export function locationOf({ card, referred }: Relations, position: number): RecordView | undefined {
  const [location] = referred('location', 'event', position);
  return location === undefined ? undefined : card('location', location);
}

/** The summary of a record; of a subject, with its place in the hierarchy. */
function readCard(graph: RecordGraph, kind: Kind, position: number): RecordView {
  const card = toRecordView(kind, graph.card(kind, position));
  if (kind !== 'subject') return card;
  const [parent] = graph.related(PARENT, position);
  const broader = parent === undefined ? undefined : toRecordView(kind, graph.card(kind, parent));
  const { person, location, event } = graph.below(position);
  return {
    ...card,
    branch: {
      broader,
      narrower: graph.related(endsBetween('subject', 'parent'), position).length,
      records: person + location + event,
    },
  };
}
