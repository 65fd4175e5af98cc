import type { Envelope, Kind, RecordOfKind, SearchEntry } from '@archiefkast/types';
import { COLLECTIONS, PAGE_SIZE } from '@archiefkast/types/kinds';
import { isUuid } from '@archiefkast/types/links';
import type { AnswerName } from './answer-schemas.ts';
import { addressOf } from './client-options.ts';
import { OptionError, responseError } from './errors.ts';
import type { Connection, Held } from './request/request.ts';
import { differenceOf, type Page, pageNumber, walk } from './walk.ts';

/** Options of a request for a page. */
export interface ReadPageOptions<Result> {
  signal?: AbortSignal | undefined;
  /** The page as it was: it is the result if the server says that it is unchanged. */
  held?: Held<Envelope<Result>> | undefined;
}

/** A list of results over pages: a kind's records, or the hits of a search. */
export interface Listing<Result> {
  /** Address of the first page. */
  readonly url: string;
  /**
   * Reads the page at an address, and checks that it is of this list. Its `next` is not checked.
   *
   * @throws RequestError
   */
  readPage(url: string, options?: ReadPageOptions<Result>): Promise<Page<Result>>;
  /** Walks the pages. Leaving the loop stops fetching. @throws RequestError; NextError if a link is refused */
  pages(): AsyncGenerator<Page<Result>, void, void>;
  /** Walks the results of all pages. Leaving the loop stops fetching. @throws RequestError; NextError if a link is refused */
  records(): AsyncGenerator<Result, void, void>;
}

/** All records of one kind. */
export interface RecordList<Item> extends Listing<Item> {
  /**
   * Reads one record.
   *
   * @throws StatusError with status 404 if the record is unknown; 410, and `record-gone` as `problem`, if it was published and is no more
   */
  get(uuid: string): Promise<Item>;
}

/** All records of one kind, with all fields or some. */
export interface FullRecordList<Item> extends RecordList<Item> {
  /** The same records with these fields only: `name`, `location.name`. The server refuses unknown ones. */
  select<Path extends FieldPath<Item>>(...fields: Path[]): RecordList<Selected<Item, Path>>;
}

/** The hits of a search, with all fields or some. */
export interface SearchListing extends Listing<SearchEntry> {
  /** The same hits with these fields only, as far as their kind has them. The server refuses those that no kind has. */
  select<Path extends AnyFieldPath>(...fields: Path[]): Listing<SelectedEntry<Path>>;
}

/** Options of a search. */
export interface SearchOptions {
  /** Order of the hits; `relevance` by default. */
  sort?: 'relevance' | 'name' | 'date' | '-date' | 'id' | undefined;
}

/** How events are written: with the records that they embed, or with the addresses of these, as locations list them. */
export type EventForm = 'full' | 'abbreviated';

/** The parameter `events` for a form, and the schema of the records of a kind in it. */
export function writtenAs(form: EventForm, kind: Kind) {
  const isAbbreviated = form === 'abbreviated' && kind === 'event';
  return isAbbreviated
    ? ({ events: form, schema: 'AbbreviatedEvent' } as const)
    : ({ events: undefined, schema: kind } as const);
}

/** Creates the list of the records of a kind, with an optional selection of fields. */
export function createRecordList<Item>(
  connection: Connection,
  kind: Kind,
  form: EventForm = 'full',
): FullRecordList<Item> {
  const path = COLLECTIONS[kind];
  const { events, schema } = writtenAs(form, kind);
  const listOf = <Some>(schema?: AnswerName, fields?: string): RecordList<Some> => ({
    ...createListing<Some>(connection, addressOf(connection, path, { events, fields }), schema, path),
    async get(uuid) {
      if (!isUuid(uuid)) throw new OptionError(`uuid: expected a UUID, not "${uuid}"`);
      const url = addressOf(connection, `${path}/${uuid}`, { events, fields });
      const { body } = await connection.request<Some>({ url, schema, expected: `a ${kind}` });
      const came = String(Object(body).uuid ?? uuid);
      if (came.toLowerCase() === uuid.toLowerCase()) return body;
      throw responseError(url, `expected the ${kind} ${uuid}, not ${came}`);
    },
  });
  return {
    ...listOf<Item>(schema),
    select: <Path extends FieldPath<Item>>(...fields: Path[]) =>
      listOf<Selected<Item, Path>>(undefined, fields.join(',')),
  };
}

/** Creates the list of the hits of a search, with an optional selection of fields. */
export function createSearch(connection: Connection, query: string, { sort }: SearchOptions): SearchListing {
  const listOf = <Hit>(schema?: AnswerName, fields?: string) => {
    const url = addressOf(connection, 'search', { fields, q: query, sort });
    return createListing<Hit>(connection, url, schema, 'search hits');
  };
  return {
    ...listOf<SearchEntry>('SearchEntry'),
    select: <Path extends AnyFieldPath>(...fields: Path[]) =>
      listOf<SelectedEntry<Path>>(undefined, fields.join(',')),
  };
}

/** @param what name of the results in messages: "persons" */
function createListing<Result>(
  connection: Connection,
  start: string,
  schema: AnswerName | undefined,
  what: string,
): Listing<Result> {
  const { request, language, onNotice } = connection;
  const listing: Listing<Result> = {
    url: start,
    async readPage(url, options = {}) {
      const question = { url, schema, isPage: true, expected: `a page of ${what}`, ...options };
      const { body, headers } = await request<Envelope<Result>>(question);
      const { next, previous, count, total, results } = body;
      const refuse = (expected: string) => responseError(url, `expected ${expected}`, JSON.stringify(body));
      if (body.language !== language) throw refuse(`the language ${language}, not ${body.language}`);
      if (results.length > PAGE_SIZE) throw refuse(`at most ${PAGE_SIZE} ${what}, not ${results.length}`);
      const number = pageNumber(url) ?? 1;
      const came = previous === null ? 1 : (pageNumber(previous) ?? 0) + 1;
      if (came !== number) throw responseError(url, `expected page ${number}, but it is page ${came}`);
      const [, first = url] = /<([^>]+)>;\s*rel="?first"?/.exec(headers.get('link') ?? '') ?? [];
      const other = [first, previous ?? url].find((link) => !isSameList(url, new URL(link, url)));
      if (other !== undefined) throw responseError(url, `expected this list, but it is ${other}`);
      const retrievedAt = new Date().toISOString();
      const [edition, etag] = [headers.get('archive-edition'), headers.get('etag')];
      return { url, next, count, total, results, retrievedAt, edition, etag };
    },
    pages() {
      const readPage = (url: string, signal: AbortSignal) => listing.readPage(url, { signal });
      return walk({ readPage, start, signal: connection.signal, onNotice });
    },
    async *records() {
      for await (const page of listing.pages()) yield* page.results;
    },
  };
  return listing;
}

/** Whether two addresses are of the same language, collection and query, whatever the path of their base URLs. */
function isSameList(url: string, other: URL): boolean {
  const [path, another] = [new URL(url), other].map(({ pathname }) => pathname.split('/').slice(-3).join());
  return path === another && differenceOf(url, other) === undefined;
}

/** Names of a record's fields, also nested ones: `name`, `location.name`. */
export type FieldPath<Value> = Value extends readonly (infer Element)[]
  ? FieldPath<Element>
  : Value extends object
    ? {
        [Name in keyof Value & string]: Name | `${Name}.${FieldPath<NonNullable<Value[Name]>>}`;
      }[keyof Value & string]
    : never;

/** A record with selected fields only. */
export type Selected<Value, Path extends string> = Value extends readonly (infer Element)[]
  ? Selected<Element, Path>[]
  : Value extends object
    ? {
        [Name in keyof Value & string as Name extends First<Path> ? Name : never]: Name extends Path
          ? Value[Name]
          : Selected<Value[Name], Below<Path, Name>>;
      }
    : Value;

type First<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;

type Below<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never;

/** A field of records of any kind. */
export type AnyFieldPath = { [K in Kind]: FieldPath<RecordOfKind[K]> }[Kind];

/** A hit with the selected fields that its record has. */
export type SelectedEntry<Path extends string> = {
  [K in Kind]: { type: K; instance: Selected<RecordOfKind[K], Path>; score: number };
}[Kind];
