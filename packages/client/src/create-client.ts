import type {
  ArchiveIndex,
  ArchiveRecord,
  ChangedRecord,
  Changes,
  ChangesHeader,
  Editions,
  Event,
  Facets,
  Kind,
  Language,
  Location,
  Person,
  RecordOfKind,
  Subject,
  Suggestions,
} from '@archiefkast/types';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { type AnswerName, NAME_OF_KIND, schemaOf } from './answer-schemas.ts';
import { type ClientOptions, fillOptions } from './client-options.ts';
import { addressOf, type ClientParts } from './client-parts.ts';
import { createRecordList, type RecordList, type SelectableList } from './create-record-list.ts';
import { createSearch, type SearchListing, type SearchOptions } from './create-search.ts';
import {
  addressOfHits,
  type FeatureCollection,
  type FileFilter,
  filterParameters,
  type MapFilter,
  type MappedKind,
} from './dumps/files-of-hits.ts';
import { dumpOf, readManifest, type ServedManifest } from './dumps/manifest.ts';
import { StatusError, WrongAnswerError } from './errors/request-errors.ts';
import { createFetchWithin } from './request/fetch-within.ts';
import { createLimiter } from './request/limiter.ts';
import { linesFrom, readDump } from './request/lines.ts';
import { parseAnswer } from './request/parse-answer.ts';
import { createRequest } from './request/request.ts';

/** Name of a facet. */
export type FacetName = keyof Facets['facets'];

/** The API of one archive in one language. */
export interface Client extends Feeds {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly language: Language;
  readonly persons: SelectableList<Person>;
  readonly subjects: SelectableList<Subject>;
  readonly locations: SelectableList<Location>;
  readonly events: SelectableList<Event>;
  /** The records of a kind. */
  records(kind: Kind): RecordList<ArchiveRecord>;
  /** The hits of a search; without a query, all records. */
  search(query?: string, options?: SearchOptions): SearchListing;
  /** Values of a field with a prefix; without a field, names of records of all kinds. */
  suggest(prefix: string, field?: string, kind?: Kind): Promise<Suggestions>;
  /** The locations or events on a map: all of them, or those that match a query or are in a box. */
  features(kind: MappedKind, filter?: MapFilter): Promise<FeatureCollection>;
  /** Number of records that match a query, by value. Without a query, of all records; without names, of every facet. */
  facets(query?: string, of?: readonly FacetName[]): Promise<Facets>;
  /**
   * Reads the description of the archive; undefined if it has none.
   *
   * @param edition overrides the client's edition
   */
  index(edition?: string): Promise<ArchiveIndex | undefined>;
  /** The kept editions. */
  editions(): Promise<Editions>;
  /** The uuids of the records that were added, changed and removed since an edition. */
  changes(since: number): Promise<Changes>;
  /**
   * Reads the manifest of the dumps.
   *
   * @param edition of the dumps; by default the client's edition, or the served one
   * @returns undefined if the server offers no dumps, or no longer those of the edition
   */
  manifest(edition?: string): Promise<ServedManifest | undefined>;
}

/**
 * Creates a client. All its requests pass through one limiter.
 *
 * @throws OptionError if an option is invalid
 */
export function createClient(options: ClientOptions): Client {
  const filled = fillOptions(options);
  const { baseUrl, language, onNotice } = filled;
  const limiter = createLimiter({
    ...filled,
    onWaited: (url, waitMs) => onNotice({ type: 'waited', url, waitMs }),
  });
  const request = createRequest({ ...filled, limiter });
  const parts = { ...filled, request };
  const ask = createAsk(parts);
  const manifest: Client['manifest'] = (edition) => {
    const url = addressOf(parts, 'dump/manifest.json', edition === undefined ? {} : { edition });
    return readManifest(request, schemaOf(filled.schemas, 'Manifest'), url, filled.signal);
  };
  const lists = {
    person: createRecordList<Person>(parts, 'person'),
    subject: createRecordList<Subject>(parts, 'subject'),
    location: createRecordList<Location>(parts, 'location'),
    event: createRecordList<Event>(parts, 'event'),
  };
  return {
    baseUrl,
    language,
    persons: lists.person,
    subjects: lists.subject,
    locations: lists.location,
    events: lists.event,
    records: (kind) => lists[kind],
    search: (query = '', searchOptions = {}) => createSearch(parts, query, searchOptions),
    suggest: (prefix, field, kind) => ask('suggest', { field, kind, prefix }, 'Suggestions'),
    features: (kind, filter = {}) => {
      const parameters = filterParameters(filter);
      return ask(`${COLLECTIONS[kind]}.geojson`, parameters, undefined, { what: 'GeoJSON' });
    },
    facets: (query, of) => ask('facets', { of: of?.join(','), q: query }, 'Facets'),
    async index(edition) {
      try {
        return await ask<ArchiveIndex>('', edition === undefined ? {} : { edition }, 'ArchiveIndex', {
          lenient: true,
        });
      } catch (error) {
        if (error instanceof WrongAnswerError) return undefined;
        if (error instanceof StatusError && error.status < 500) return undefined;
        throw error;
      }
    },
    editions: () => ask('editions', {}, 'Editions', { isOfEdition: false }),
    changes: (since) => ask('changes', { since: String(since) }, 'Changes'),
    manifest,
    ...createFeeds(parts, manifest),
  };
}

/** Requests a resource that is not a list. */
type Ask = <Answer>(
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  name: AnswerName | undefined,
  options?: { isOfEdition?: boolean; lenient?: boolean; what?: string },
) => Promise<Answer>;

/** Creates the function that requests resources that are not lists. */
function createAsk(parts: ClientParts): Ask {
  return async <Answer>(
    path: string,
    parameters: Readonly<Record<string, string | undefined>>,
    name: AnswerName | undefined,
    { isOfEdition = true, lenient = parts.lenient, what = `the schema ${name}` } = {},
  ) => {
    const url = addressOf(isOfEdition ? parts : { ...parts, edition: undefined }, path, parameters);
    const schema = schemaOf<Answer>(parts.schemas, name);
    const expected = `a response with ${what}`;
    const { body } = await parts.request({ url, schema, expected, signal: parts.signal, lenient });
    if (body === undefined) throw new WrongAnswerError(url, `expected ${expected}, not status 304`, '');
    return body;
  };
}

/** Streams of records. */
interface Feeds {
  /** Streams the changed records since an edition. */
  changedRecords(since: number): AsyncGenerator<ChangedRecord, void, void>;
  /**
   * Streams all records of a kind in one request, and resumes when the connection breaks; with a filter, those that match,
   * without resuming.
   */
  dump<K extends Kind>(kind: K, filter?: FileFilter): AsyncGenerator<RecordOfKind[K], void, void>;
}

/** Creates the streams of dumps and of the feed of changes. */
function createFeeds(parts: ClientParts, manifest: () => Promise<ServedManifest | undefined>): Feeds {
  const { lenient, schemas } = parts;
  const fetchWithin = createFetchWithin(parts.headers);

  async function* linesAt(url: string): AsyncGenerator<string, void, void> {
    const decoder = new TextDecoder();
    for await (const lines of linesFrom({ ...parts, fetchWithin, url, from: 0 })) {
      for (const line of lines) yield decoder.decode(line);
    }
  }

  return {
    async *dump<K extends Kind>(kind: K, filter: FileFilter = {}) {
      const schema = schemaOf<RecordOfKind[K]>(schemas, NAME_OF_KIND[kind]);
      const found = addressOfHits(parts, COLLECTIONS[kind], filter);
      if (found !== undefined) {
        for await (const line of linesAt(found)) yield parseAnswer(found, line, schema, `a ${kind}`, lenient);
        return;
      }
      const offered = await manifest();
      const file = offered && dumpOf(offered.manifest, kind);
      const url = addressOf(parts, 'dump/manifest.json');
      if (!file) throw new WrongAnswerError(url, `expected a dump of every ${kind}`, offered?.text ?? '');
      const pinned = new URL(file.url);
      pinned.searchParams.set('edition', String(offered.manifest.edition.id));
      const decoder = new TextDecoder();
      const reading = { ...parts, fetchWithin, url: pinned.href, from: 0, bytes: file.bytes };
      for await (const lines of readDump(reading)) {
        for (const line of lines) {
          yield parseAnswer(pinned.href, decoder.decode(line), schema, `a ${kind}`, lenient);
        }
      }
    },
    async *changedRecords(since) {
      const url = addressOf(parts, 'changes.jsonl', { since: String(since) });
      const header = schemaOf<ChangesHeader>(schemas, 'ChangesHeader');
      const record = schemaOf<ChangedRecord>(schemas, 'ChangedRecord');
      let promised: number | undefined;
      let came = 0;
      const shortfall = () =>
        new WrongAnswerError(url, `expected ${promised ?? 'some'} changed records, not ${came}`, '');
      for await (const line of linesAt(url)) {
        if (promised === undefined) {
          const { added, changed, removed } = parseAnswer(url, line, header, 'the changes', lenient);
          promised = added + changed + removed;
        } else {
          came += 1;
          if (came > promised) throw shortfall();
          yield parseAnswer(url, line, record, 'a changed record', lenient);
        }
      }
      if (came !== promised) throw shortfall();
    },
  };
}
