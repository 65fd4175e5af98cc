import { mediaAddress } from '@archiefkast/bundle/media-path';
import { graphOf, type LinkedArchive, type LinkedNode } from '@archiefkast/formats/linked-data';
import {
  createPage,
  nameOf,
  type Page,
  type PageRecord,
  type SiteSettings,
  toPageRecord,
} from '@archiefkast/site';
import type { Decade } from '@archiefkast/site/decade-bars';
import type { Letter } from '@archiefkast/site/kind-list';
import { linksOf, locationOf, type RecordNode } from '@archiefkast/site/kinds';
import type { FoundRecord } from '@archiefkast/site/search';
import type { Kind, Language } from '@archiefkast/types';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import {
  endsBetween,
  fold,
  type GraphOrder,
  type Order,
  type Query,
  type RecordGraph,
  relationNamed,
} from '../../../search/index.ts';
import type { RecordKey } from '../../../storage/edition.ts';
import { hasSupplements, parseSupplement, SUPPLEMENTS, withoutMarks } from '../../../storage/stored-texts.ts';
import { MissingTextError } from '../../../storage/texts.ts';
import type { ArchiveRequest, RouteDependencies } from '../../route.ts';

/** Creates the page of a request, in the edition of its response; its links repeat the parameter `edition`. */
export function createPageOf(
  settings: SiteSettings,
  request: Pick<ArchiveRequest, 'language' | 'path' | 'served'> & { parameters?: URLSearchParams },
): Page {
  const { language, path, served, parameters } = request;
  const archive = served?.edition.archive;
  const logo = archive?.logo && mediaAddress(settings.baseUrl, archive.logo);
  return createPage(settings, {
    ...{ language, path: path.slice(1), edition: parameters?.get('edition') ?? undefined },
    archive: archive && { ...archive, logo },
  });
}

/** The request of a page, with the page to write, and the reader of its records. */
export interface PageRequest extends ArchiveRequest {
  page: Page;
  reader: PageReader;
}

/** Creates the reader of an edition in a language. */
export type OpenPageReader = ReturnType<typeof createPageReaders>;

/** Reads the records for pages, without embedded records. */
export type PageReader = ReturnType<OpenPageReader>;

/** The relations between the records of an edition, and their summaries in lists. */
export interface PageGraph {
  graph: RecordGraph;
  /** The order of the list of a kind: events by date, others by name in the language of the page. */
  orderOf(kind: Kind): GraphOrder;
  /** The cached summary of a record. */
  listed(kind: Kind, position: number): PageRecord;
}

/** Memory of a cached letter, in bytes. */
const PART_BYTES = 64;

/** Creates readers that share caches. */
export function createPageReaders({
  queries,
  datestamps,
  baseUrl,
  caches,
}: Pick<RouteDependencies, 'queries' | 'datestamps' | 'baseUrl' | 'caches'>) {
  // Its characters as JSON, and as much for its objects.
  const cards = caches.open<PageRecord>('cards', (card) => JSON.stringify(card).length * 2);
  const letters = caches.open<Letter[]>('letters', ({ length }) => length * PART_BYTES);

  return ({ edition, search }: OpenEdition, language: Language) => {
    const orderOf = (kind: Kind): GraphOrder => (kind === 'event' ? 'date' : `name_${language}`);

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
      return search.ask((index) =>
        index.look((graph) => {
          const listed = (kind: Kind, position: number) =>
            cards.get(`${edition.key} ${kind} ${position}`, () => readCard(graph, kind, position));
          return query({ graph, orderOf, listed });
        }),
      );
    }

    /** The top-level subjects, by name. */
    async function readTop(): Promise<PageRecord[]> {
      const top = await look(({ graph, listed }) =>
        graph.roots(BROADER).map((position) => listed('subject', position)),
      );
      const name = (record: PageRecord) => nameOf(record, language).text;
      return top.toSorted((a, b) => name(a).localeCompare(name(b), language));
    }

    /** Records that match a query, and the number of all of them. */
    async function find(
      query: Query,
      limit: number,
      { order, offset = 0 }: { order?: Order | undefined; offset?: number } = {},
    ): Promise<{ found: FoundRecord[]; count: number }> {
      const ordered = { ...query, ...(order && { order }) };
      const { count, hits } = await search.ask((index) => index.search(ordered, offset, limit));
      const records = await read(hits);
      const found = await look((graph) =>
        records.map(({ record, key: { kind, position } }): FoundRecord => {
          if (kind === 'event') return { record, location: locationOf(nodeAt(graph, kind, position)) };
          const { branch } = kind === 'subject' ? graph.listed(kind, position) : record;
          return { record: branch ? { ...record, branch } : record };
        }),
      );
      return { found, count };
    }

    return {
      ...{ readByUuid, read, readTop, find, look },
      isFirst: () => datestamps.isFirst(edition),
      /** The most recently changed records, newest first. */
      async readLastChanged(limit: number): Promise<{ record: PageRecord; changedAt: string }[]> {
        const changed = await read(await datestamps.listLast(edition, limit));
        return changed.map(({ record, key }) => ({ record, changedAt: new Date(key.at).toISOString() }));
      },
      countDecades: () => look(({ graph }) => countDecades(graph)),
      /** The page of the first name with each letter in the list of a kind, which has `size` names on a page. */
      findLetters: (kind: Kind, size: number) =>
        letters.fetch(`${edition.key} ${kind} ${language}`, () =>
          look((graph) => findLetters(graph, kind, language, size)),
        ),
    };
  };
}

/** The relation of a subject to its parent, and that end of it. */
const BROADER = relationNamed('subject.parent');
const PARENT = [{ relation: BROADER, hits: 'target' }] as const;

/** The summary of a record; of a subject, with its place in the hierarchy. */
function readCard(graph: RecordGraph, kind: Kind, position: number): PageRecord {
  const card = toPageRecord(kind, graph.card(kind, position));
  if (kind !== 'subject') return card;
  const [parent] = graph.related(PARENT, position);
  const broader = parent === undefined ? undefined : toPageRecord(kind, graph.card(kind, parent));
  return {
    ...card,
    branch: { broader, narrower: graph.related(endsBetween('subject', 'parent'), position).length },
  };
}

/** A record in the graph. */
export function nodeAt(look: PageGraph, kind: Kind, position: number): RecordNode {
  const { graph, orderOf, listed } = look;
  const find = (other: Kind, field: string) =>
    graph.related(field === 'broader' ? PARENT : endsBetween(other, field), position);
  return {
    position,
    record: () => listed(kind, position),
    related(other, field, most) {
      const found = graph.sort(other, find(other, field), orderOf(other));
      const nodes = found.slice(0, most).map((each) => nodeAt(look, other, each));
      return { nodes, count: found.length };
    },
    referred: (other, field) => find(other, field).map((each) => nodeAt(look, other, each)),
  };
}

/** Reads records as graphs, in the order of their keys. */
export type GraphReader = (
  open: OpenEdition,
  keys: readonly RecordKey[],
  options?: Pick<LinkedArchive, 'isWhole'>,
) => Promise<LinkedNode[]>;

/** Creates the reader of graphs: a statement and a look at the relations for all records that are read at once. */
export function createGraphReader(
  { baseUrl }: Pick<RouteDependencies, 'baseUrl'>,
  openReader: OpenPageReader,
): GraphReader {
  return async (open, keys, options) => {
    const { id, archive } = open.edition;
    const reader = openReader(open, 'en');
    const found = await reader.read(keys);
    if (found.length < keys.length) throw new MissingTextError(id, `one of ${keys.length} records`);
    const linked = { baseUrl, licence: archive?.licence?.url, ...options };
    return reader.look((look) => {
      const linking = linked.isWhole ? withoutCards(look) : look;
      return found.map(({ record, key: { kind, position } }) =>
        graphOf(record, linksOf(nodeAt(linking, kind, position)), linked),
      );
    });
  };
}

/** A graph that does not name its linked records needs only their UUIDs. */
function withoutCards(look: PageGraph): PageGraph {
  return { ...look, listed: (kind, position) => ({ kind, uuid: look.graph.uuid(kind, position) }) };
}

/** Limit of decades; the last ones are shown. */
const MOST_DECADES = 60;

/** The number of events in each decade, from the first event to the last: as many as a search for the decade finds. */
function countDecades(graph: RecordGraph): Decade[] {
  const counts = graph.countDecades();
  const found = [...counts.keys()];
  const [first = 0, last = -1] = [found[0], found.at(-1)];
  const from = Math.max(first, last - MOST_DECADES + 1);
  return Array.from({ length: last - from + 1 }, (_, index) => ({
    start: (from + index) * 10,
    count: counts.get(from + index) ?? 0,
  }));
}

/** Limit of letters, for archives in many scripts. */
const MOST_LETTERS = 60;

/** Finds the page of the first name with each letter, by binary search in the list of a kind, sorted by name. */
function findLetters(look: PageGraph, kind: Kind, language: Language, size: number): Letter[] {
  const ordered = look.graph.ordered(kind, look.orderOf(kind));
  const nameAt = (index: number) => sortName(look.listed(kind, ordered[index] ?? 0), language);
  const letters = new Map<string, number>();
  let start = 0;
  while (start < ordered.length && letters.size < MOST_LETTERS) {
    const group = letterOf(nameAt(start));
    // Records without a name are last.
    if (group === undefined || letters.has(group.letter)) break;
    letters.set(group.letter, Math.floor(start / size) + 1);
    let [low, high] = [start + 1, ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nameAt(middle) < group.end) low = middle + 1;
      else high = middle;
    }
    start = low;
  }
  return Array.from(letters, ([letter, page]) => ({ letter, page }));
}

/** The letter under which a folded name is listed, and the first name after those with it; undefined for no name. */
function letterOf(name: string): { letter: string; end: string } | undefined {
  const first = name.codePointAt(0);
  if (first === undefined) return undefined;
  if (name >= '0' && name < ':') return { letter: '0–9', end: ':' };
  return { letter: String.fromCodePoint(first).toUpperCase(), end: String.fromCodePoint(first + 1) };
}

/** The name by which a record is sorted, as in the index; empty if it has none. */
function sortName(record: PageRecord, language: Language): string {
  const { last_name: last, first_name: first } = record;
  return fold(last || (record.kind === 'person' && first) || nameOf(record, language).text).trim();
}
