import { type ListedRecord, nameOf, type PageRecord, toListedRecord, toPageRecord } from '@archiefkast/site';
import type { Kind, Language } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import { parseWellFormed } from '../../../edition/edition-reader.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import type { RecordKey } from '../../../edition/record-keys.ts';
import type { Order, Query, RecordGraph } from '../../../search/index.ts';
import { withoutMarks } from '../../../storage/marks.ts';
import type { RouteDependencies } from '../../contract/route.ts';

/** Records that were found, with their positions, and how many there are in all. */
export interface FoundRecords {
  records: PageRecord[];
  positions: number[];
  count: number;
}

/** Records of a list. */
export interface ListedRecords {
  records: ListedRecord[];
  count: number;
}

/** How the records of an edition hang together, and what lists show of them. */
export interface PageGraph extends Pick<RecordGraph, 'related' | 'sort'> {
  /** A record as lists show it: the same ones are on many pages. */
  listed(kind: Kind, position: number): ListedRecord;
}

/** Reads what pages show: records by their own fields, without what they embed. */
export interface PageReader {
  /** The order of names in the language of the page. */
  byName: `name_${Language}`;
  /** A record by its uuid (lower case), and where it is in the list of its kind; undefined when there is none. */
  readByUuid(kind: Kind, uuid: string): Promise<{ record: PageRecord; position: number } | undefined>;
  /** The records with these keys, in order, each with its key. A record that cannot be shown is omitted. */
  read<Key extends RecordKey>(keys: readonly Key[]): Promise<{ record: PageRecord; key: Key }[]>;
  /** The subjects at the top of the tree, by name. */
  readTop(): Promise<PageRecord[]>;
  /** The first records that match a query. */
  find(query: Query, order: Order | undefined, limit: number, offset?: number): Promise<FoundRecords>;
  /** The first records that match a query, as lists show them. */
  list(query: Query, order: Order | undefined, limit: number, offset?: number): Promise<ListedRecords>;
  /** Looks in the graph of records: see `SearchIndex`. */
  look<Found>(look: (graph: PageGraph) => Found): Promise<Found>;
}

/** Makes the reader of what pages show of one edition in one language. */
export type OpenPages = (open: OpenEdition, language: Language) => PageReader;

/** What pages need. */
export interface PageDependencies extends RouteDependencies {
  openPages: OpenPages;
}

/** Makes readers of what pages show, which share a cache of what lists show. */
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
  // A record of which no page can be made fails alone: its own page says so, and logs it.
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

/** The size of a card: its characters as JSON, and as much for its fields. */
function cardBytes(card: ListedRecord): number {
  return JSON.stringify(card).length * 2;
}
