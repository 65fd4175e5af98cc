import { type ListedRecord, nameOf, type PageRecord, toListedRecord, toPageRecord } from '@archiefkast/site';
import type { Kind, Language } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import { parseWellFormed } from '../../../edition/edition-reader.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import type { RecordKey } from '../../../edition/record-keys.ts';
import type { Order, Query, RecordGraph } from '../../../search/index.ts';
import { withoutMarks } from '../../../storage/marks.ts';
import type { RouteDependencies } from '../../contract/route.ts';

/** Records of a page of hits, with their positions, and the number of all hits. */
export interface FoundRecords {
  records: PageRecord[];
  positions: number[];
  count: number;
}

/** Records of a page of a list, and the number of all records in it. */
export interface ListedRecords {
  records: ListedRecord[];
  count: number;
}

/** The relations between the records of an edition, and their summaries in lists. */
export interface PageGraph extends Pick<RecordGraph, 'related' | 'sort'> {
  /** The cached summary of a record. */
  listed(kind: Kind, position: number): ListedRecord;
}

/** Reads the records for pages, without embedded records. */
export interface PageReader {
  /** The order of names in the language of the page. */
  byName: `name_${Language}`;
  /** The record with this UUID (lower case), and its position; undefined if it does not exist. */
  readByUuid(kind: Kind, uuid: string): Promise<{ record: PageRecord; position: number } | undefined>;
  /** The records with these keys, in order, each with its key. A record that cannot be shown is omitted. */
  read<Key extends RecordKey>(keys: readonly Key[]): Promise<{ record: PageRecord; key: Key }[]>;
  /** The top-level subjects, by name. */
  readTop(): Promise<PageRecord[]>;
  /** The first records that match a query. */
  find(query: Query, order: Order | undefined, limit: number, offset?: number): Promise<FoundRecords>;
  /** The summaries of the first records that match a query. */
  list(query: Query, order: Order | undefined, limit: number, offset?: number): Promise<ListedRecords>;
  /** Queries the graph of records: see `SearchIndex`. */
  look<Found>(look: (graph: PageGraph) => Found): Promise<Found>;
}

/** Creates the reader for an edition and a language. */
export type OpenPages = (open: OpenEdition, language: Language) => PageReader;

/** Dependencies of pages. */
export interface PageDependencies extends RouteDependencies {
  openPages: OpenPages;
}

/** Creates readers that share a cache of summaries. */
export function createPageReaders({
  queries,
  baseUrl,
  caches,
}: Pick<RouteDependencies, 'queries' | 'baseUrl' | 'caches'>): OpenPages {
  const cards = caches.open('cards', cardBytes);
  return (open, language) => createPageReader({ queries, baseUrl, cards }, open, language);
}

function createPageReader(
  {
    queries,
    baseUrl,
    cards,
  }: Pick<RouteDependencies, 'queries' | 'baseUrl'> & { cards: Cache<ListedRecord> },
  { edition, search }: OpenEdition,
  language: Language,
): PageReader {
  const parse = (kind: Kind, text: string): PageRecord =>
    toPageRecord(kind, parseWellFormed(withoutMarks(text, baseUrl)));
  // An invalid record is omitted from lists; its own page fails, and logs the error.
  const tryToParse = (kind: Kind, text: string): PageRecord[] => {
    try {
      return [parse(kind, text)];
    } catch {
      return [];
    }
  };
  const ask = (query: Query, order: Order | undefined, limit: number, offset: number) =>
    search.search({ ...query, ...(order && { order }) }, offset, limit);
  const reader: PageReader = {
    byName: `name_${language}`,
    async readByUuid(kind, uuid) {
      const found = await queries.findText(edition.id, language, kind, uuid);
      return found && { record: parse(kind, found.text), position: found.position };
    },
    async read(keys) {
      const texts = await queries.fetchTexts(edition.id, language, keys);
      const byKey = new Map(texts.map(({ form, position, text }) => [`${form} ${position}`, text]));
      return keys.flatMap((key) => {
        const text = byKey.get(`${key.kind} ${key.position}`);
        return text === undefined ? [] : tryToParse(key.kind, text).map((record) => ({ record, key }));
      });
    },
    async readTop() {
      const texts = await queries.fetchTopSubjects(edition.id, language);
      const top = texts.flatMap(({ text }) => tryToParse('subject', text));
      const name = (record: PageRecord) => nameOf(record, language).text;
      return top.toSorted((a, b) => name(a).localeCompare(name(b), language));
    },
    async find(query, order, limit, offset = 0) {
      const { count, hits } = await ask(query, order, limit, offset);
      const found = await reader.read(hits);
      const records = found.map(({ record }) => record);
      return { records, positions: found.map(({ key }) => key.position), count };
    },
    async list(query, order, limit, offset = 0) {
      const { count, hits } = await ask(query, order, limit, offset);
      const records = await reader.look((graph) =>
        hits.map(({ kind, position }) => graph.listed(kind, position)),
      );
      return { records, count };
    },
    look: (look) =>
      search.look((graph) =>
        look({
          related: (ends, position) => graph.related(ends, position),
          sort: (kind, positions, order) => graph.sort(kind, positions, order),
          listed: (kind, position) =>
            cards.get(`${edition.key} ${kind} ${position}`, () =>
              toListedRecord(kind, graph.card(kind, position)),
            ),
        }),
      ),
  };
  return reader;
}

/** The memory of a summary: its characters as JSON, and as much for its objects. */
function cardBytes(card: ListedRecord): number {
  return JSON.stringify(card).length * 2;
}
