import { nameOf, type PageRecord, toPageRecord } from '@archiefkast/site';
import type { Kind, Language } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import type { RecordKey } from '../../../edition/record-keys.ts';
import {
  type GraphOrder,
  type Order,
  type Query,
  type RecordGraph,
  relationNamed,
} from '../../../search/index.ts';
import { withoutMarks } from '../../../storage/marks.ts';
import { hasSupplements, parseSupplement, SUPPLEMENTS } from '../../../storage/stored-texts.ts';
import type { RouteDependencies } from '../../route.ts';

/** Records of a page of hits, with their positions, and the number of all hits. */
export interface FoundRecords {
  records: PageRecord[];
  positions: number[];
  count: number;
}

/** The relations between the records of an edition, and their summaries in lists. */
export interface PageGraph {
  graph: RecordGraph;
  /** The order of names in the language of the page. */
  byName: GraphOrder;
  /** The cached summary of a record. */
  listed(kind: Kind, position: number): PageRecord;
}

/** Reads the records for pages, without embedded records. */
export type PageReader = ReturnType<typeof createPageReader>;

/** Dependencies of pages. */
export interface PageDependencies extends RouteDependencies {
  /** Creates the reader for an edition and a language. */
  openPages(open: OpenEdition, language: Language): PageReader;
}

/** Creates readers that share a cache of summaries. */
export function createPageReaders(
  dependencies: Pick<RouteDependencies, 'queries' | 'baseUrl' | 'caches'>,
): PageDependencies['openPages'] {
  const cards = dependencies.caches.open('cards', cardBytes);
  return (open, language) => createPageReader(dependencies, cards, open, language);
}

function createPageReader(
  { queries, baseUrl }: Pick<RouteDependencies, 'queries' | 'baseUrl'>,
  cards: Cache<PageRecord>,
  { edition, search }: OpenEdition,
  language: Language,
) {
  const byName: GraphOrder = `name_${language}`;

  function parse(kind: Kind, text: string, supplement?: string): PageRecord {
    const record = JSON.parse(withoutMarks(text, baseUrl));
    return toPageRecord(kind, record, supplement === undefined ? {} : parseSupplement(supplement).dates);
  }

  /** The record with this UUID (lower case), and its position; undefined if it does not exist. */
  async function readByUuid(kind: Kind, uuid: string) {
    const found = await queries.findText(edition.id, language, kind, uuid);
    return found && { record: parse(kind, found.text, found.supplement), position: found.position };
  }

  /** The records with these keys, in order, each with its key. A record that cannot be shown is omitted. */
  async function read<Key extends RecordKey>(
    keys: readonly Key[],
  ): Promise<{ record: PageRecord; key: Key }[]> {
    const supplements = keys.flatMap(({ kind, position }) =>
      hasSupplements(kind) ? [{ kind: SUPPLEMENTS[kind], position }] : [],
    );
    const texts = await queries.fetchTexts(edition.id, language, [...keys, ...supplements]);
    const byKey = new Map(texts.map(({ form, position, text }) => [`${form} ${position}`, text]));
    return keys.flatMap((key) => {
      const { kind, position } = key;
      const text = byKey.get(`${kind} ${position}`);
      if (text === undefined) return [];
      const supplement = hasSupplements(kind) ? byKey.get(`${SUPPLEMENTS[kind]} ${position}`) : undefined;
      // The page of an invalid record fails, and logs the error.
      try {
        return [{ record: parse(kind, text, supplement), key }];
      } catch {
        return [];
      }
    });
  }

  /** Queries the graph of records: see `SearchIndex`. */
  function look<Found>(query: (graph: PageGraph) => Found): Promise<Found> {
    return search.look((graph) => {
      const listed = (kind: Kind, position: number) =>
        cards.get(`${edition.key} ${kind} ${position}`, () => readCard(graph, kind, position));
      return query({ graph, byName, listed });
    });
  }

  /** The top-level subjects, by name. */
  async function readTop(): Promise<PageRecord[]> {
    const texts = await queries.fetchTopSubjects(edition.id, language);
    const top = await look(({ listed }) => texts.map(({ position }) => listed('subject', position)));
    const name = (record: PageRecord) => nameOf(record, language).text;
    return top.toSorted((a, b) => name(a).localeCompare(name(b), language));
  }

  /** Records that match a query, with their positions, and the number of all of them. */
  async function find(query: Query, order: Order | undefined, limit: number, offset = 0) {
    const { count, hits } = await search.search({ ...query, ...(order && { order }) }, offset, limit);
    const found = await read(hits);
    const records = await look(({ listed }) =>
      found.map(({ record, key: { kind, position } }) => {
        const { branch } = kind === 'subject' ? listed(kind, position) : record;
        return branch ? { ...record, branch } : record;
      }),
    );
    return { records, positions: found.map(({ key }) => key.position), count };
  }

  return { readByUuid, read, readTop, find, look };
}

/** The end of the relation that is the parent of a subject. */
export const PARENT = [{ relation: relationNamed('subject.parent'), hits: 'target' }] as const;
const CHILDREN = [{ relation: relationNamed('subject.parent'), hits: 'source' }] as const;

/** The summary of a record; of a subject, with its place in the hierarchy. */
function readCard(graph: RecordGraph, kind: Kind, position: number): PageRecord {
  const card = toPageRecord(kind, graph.card(kind, position));
  if (kind !== 'subject') return card;
  const [parent] = graph.related(PARENT, position);
  const broader = parent === undefined ? undefined : toPageRecord(kind, graph.card(kind, parent));
  return { ...card, branch: { broader, narrower: graph.related(CHILDREN, position).length } };
}

/** The memory of a summary: its characters as JSON, and as much for its objects. */
function cardBytes(card: PageRecord): number {
  return JSON.stringify(card).length * 2;
}
