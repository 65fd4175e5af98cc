import {
  type Branch,
  type ListedRecord,
  nameOf,
  type PageRecord,
  toListedRecord,
  toPageRecord,
} from '@archiefkast/site';
import type { Kind, Language } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import { parseWellFormed } from '../../../edition/edition-reader.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import type { RecordKey } from '../../../edition/record-keys.ts';
import { type Order, type Query, type RecordGraph, relationNamed } from '../../../search/index.ts';
import { withoutMarks } from '../../../storage/marks.ts';
import {
  hasSupplements,
  parseSupplement,
  SUPPLEMENTS,
  type TextKind,
} from '../../../storage/stored-texts.ts';
import type { RouteDependencies } from '../../route.ts';

/** Records of a page of hits, with their positions, and the number of all hits. */
export interface FoundRecords {
  records: PageRecord[];
  positions: number[];
  count: number;
}

/** The relations between the records of an edition, and their summaries in lists. */
export interface PageGraph extends Pick<RecordGraph, 'neighbours' | 'ordered' | 'related' | 'sort'> {
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
  readTop(): Promise<ListedRecord[]>;
  /** The first records that match a query. */
  find(query: Query, order: Order | undefined, limit: number, offset?: number): Promise<FoundRecords>;
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
  const parse = (kind: Kind, text: string, supplement?: string): PageRecord => {
    const record = parseWellFormed(withoutMarks(text, baseUrl));
    return toPageRecord(kind, record, supplement === undefined ? {} : parseSupplement(supplement).dates);
  };
  // An invalid record is omitted from lists; its own page fails, and logs the error.
  const tryToParse = (kind: Kind, text: string, supplement?: string): PageRecord[] => {
    try {
      return [parse(kind, text, supplement)];
    } catch {
      return [];
    }
  };
  const reader: PageReader = {
    byName: `name_${language}`,
    async readByUuid(kind, uuid) {
      const found = await queries.findText(edition.id, language, kind, uuid);
      return found && { record: parse(kind, found.text, found.supplement), position: found.position };
    },
    async read(keys) {
      const supplements = keys.flatMap(({ kind, position }) =>
        hasSupplements(kind) ? [{ kind: SUPPLEMENTS[kind], position }] : [],
      );
      const texts = await queries.fetchTexts(edition.id, language, [...keys, ...supplements]);
      const byKey = new Map(texts.map(({ form, position, text }) => [`${form} ${position}`, text]));
      const textOf = (form: TextKind, position: number) => byKey.get(`${form} ${position}`);
      return keys.flatMap((key) => {
        const { kind, position } = key;
        const text = textOf(kind, position);
        if (text === undefined) return [];
        const supplement = hasSupplements(kind) ? textOf(SUPPLEMENTS[kind], position) : undefined;
        return tryToParse(kind, text, supplement).map((record) => ({ record, key }));
      });
    },
    async readTop() {
      const texts = await queries.fetchTopSubjects(edition.id, language);
      const top = await reader.look((graph) =>
        texts.map(({ position }) => graph.listed('subject', position)),
      );
      const name = (record: ListedRecord) => nameOf(record, language).text;
      return top.toSorted((a, b) => name(a).localeCompare(name(b), language));
    },
    async find(query, order, limit, offset = 0) {
      const { count, hits } = await search.search({ ...query, ...(order && { order }) }, offset, limit);
      const found = await reader.read(hits);
      const records = await reader.look((graph) =>
        found.map(({ record, key: { kind, position } }) =>
          kind === 'subject' ? { ...record, ...branchOf(graph.listed(kind, position)) } : record,
        ),
      );
      return { records, positions: found.map(({ key }) => key.position), count };
    },
    look: (look) =>
      search.look((graph) =>
        look({
          related: (ends, position) => graph.related(ends, position),
          sort: (kind, positions, order) => graph.sort(kind, positions, order),
          neighbours: (kind, position, order) => graph.neighbours(kind, position, order),
          ordered: (kind, order) => graph.ordered(kind, order),
          listed: (kind, position) =>
            cards.get(`${edition.key} ${kind} ${position}`, () => ({
              ...toListedRecord(kind, graph.card(kind, position)),
              ...(kind === 'subject' && { branch: readBranch(graph, position) }),
            })),
        }),
      ),
  };
  return reader;
}

/** The end of the relation that is the parent of a subject. */
export const PARENT = [{ relation: relationNamed('subject.parent'), hits: 'target' }] as const;
const CHILDREN = [{ relation: relationNamed('subject.parent'), hits: 'source' }] as const;

/** The place of a subject in the hierarchy. */
function readBranch(graph: RecordGraph, position: number): Branch {
  const [parent] = graph.related(PARENT, position);
  const broader = parent === undefined ? undefined : toListedRecord('subject', graph.card('subject', parent));
  return {
    broader: broader && { name_nl: broader.name_nl, name_en: broader.name_en },
    narrower: graph.related(CHILDREN, position).length,
  };
}

function branchOf({ branch }: ListedRecord): { branch?: Branch } {
  return branch ? { branch } : {};
}

/** The memory of a summary: its characters as JSON, and as much for its objects. */
function cardBytes(card: ListedRecord): number {
  return JSON.stringify(card).length * 2;
}
