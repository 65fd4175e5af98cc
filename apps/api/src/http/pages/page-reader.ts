import { nameOf, type PageRecord, toPageRecord } from '@archiefkast/site';
import type { Kind, Language } from '@archiefkast/types';
import type { OpenEdition } from '../../read/follow-editions.ts';
import type { RecordPlace, TextQueries } from '../../read/texts.ts';
import { BASE_URL_MARK, withoutMarks } from '../../render/marks.ts';
import type { Order, Query } from '../../search/index.ts';

/** Records that were found, with their positions, and how many there are in all. */
export interface FoundRecords {
  records: PageRecord[];
  positions: number[];
  count: number;
}

/** Reads what pages show: records by their own fields, without what they embed. */
export interface PageReader {
  /** The order of names in the language of the page. */
  byName: Order;
  /** The records at these places, in their order. */
  read(places: readonly RecordPlace[]): Promise<PageRecord[]>;
  /** The subjects at the top of the tree, by name. */
  readTop(): Promise<PageRecord[]>;
  /** The first records that match a query. */
  find(query: Query, order: Order | undefined, limit: number, offset?: number): Promise<FoundRecords>;
  /** The records that those of a kind at these positions embed, each with the position that embeds it. */
  readEmbedded(
    kind: 'event' | 'location',
    positions: readonly number[],
  ): Promise<{ source: number; record: PageRecord }[]>;
}

/** The kind of record that a rendered form is of. */
const KIND_OF_FORM: Readonly<Record<string, Kind>> = {
  person: 'person',
  subject: 'subject',
  location: 'location',
  event: 'event',
  abbreviated_event: 'event',
};

/** A reader of what pages show, of one edition in one language. */
export function createPageReader(
  queries: TextQueries,
  { edition, search }: OpenEdition,
  language: Language,
  baseUrl: string,
): PageReader {
  const parse = (kind: Kind, text: string): PageRecord =>
    toPageRecord(kind, JSON.parse(withoutMarks(text.replaceAll(BASE_URL_MARK, baseUrl))));
  const reader: PageReader = {
    byName: `name_${language}`,
    async read(places) {
      const texts = await queries.fetchTexts(edition.id, language, places);
      const byPlace = new Map(texts.map(({ form, position, text }) => [`${form} ${position}`, text]));
      return places.flatMap(({ kind, position }) => {
        const text = byPlace.get(`${kind} ${position}`);
        return text === undefined ? [] : [parse(kind, text)];
      });
    },
    async readTop() {
      const texts = await queries.fetchTopSubjects(edition.id, language);
      const top = texts.map(({ text }) => parse('subject', text));
      const name = (record: PageRecord) => nameOf(record, language).text;
      return top.toSorted((a, b) => name(a).localeCompare(name(b), language));
    },
    async find(query, order, limit, offset = 0) {
      const { count, hits } = await search.search({ ...query, ...(order && { order }) }, offset, limit);
      return { records: await reader.read(hits), positions: hits.map(({ position }) => position), count };
    },
    async readEmbedded(kind, positions) {
      if (positions.length === 0) return [];
      const parsed = new Map<string, PageRecord>();
      const rows = await queries.fetchEmbedded(edition.id, language, kind, positions);
      return rows.flatMap(({ source, form, position, text }) => {
        const of = KIND_OF_FORM[form];
        if (!of) return [];
        const key = `${form} ${position}`;
        const record = parsed.get(key) ?? parse(of, text);
        parsed.set(key, record);
        return [{ source, record }];
      });
    },
  };
  return reader;
}
