import type {
  ArchiveIndex,
  ArchiveRecord,
  Changes,
  Editions,
  Event,
  Facets,
  Kind,
  Language,
  Location,
  Person,
  Subject,
  Suggestions,
} from '@archiefkast/types';
import { createAsk } from './ask.ts';
import { type ClientOptions, fillOptions } from './client-options.ts';
import { addressOf } from './client-parts.ts';
import { createFeeds, type Feeds } from './create-feeds.ts';
import { createRecordList, type RecordList, type SelectableList } from './create-record-list.ts';
import { createSearch, type SearchListing, type SearchOptions } from './create-search.ts';
import { readManifest, type ServedManifest } from './dumps/manifest.ts';
import { StatusError, WrongAnswerError } from './errors/request-errors.ts';
import { createLimiter } from './request/limiter.ts';
import { createRequest } from './request/request.ts';

/** What hits can be counted by. */
export type FacetName = keyof Facets['facets'];

/** The API of one archive in one language. */
export interface Client extends Feeds {
  /** Without a slash at its end. */
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
  /** Values of a field that begin with what has been typed; without a field, names of records of all kinds. */
  suggest(prefix: string, field?: string): Promise<Suggestions>;
  /** How many records match a query (all, without one), by the values that they have; without names, by every facet. */
  facets(query?: string, of?: readonly FacetName[]): Promise<Facets>;
  /**
   * Reads what the archive says of itself; undefined when it says nothing.
   *
   * @param edition as an answer named it, in place of the client's own
   */
  index(edition?: string): Promise<ArchiveIndex | undefined>;
  /** The editions that are kept. */
  editions(): Promise<Editions>;
  /** The uuids of the records that were added, changed and removed since an edition. */
  changes(since: number): Promise<Changes>;
  /**
   * Reads which dumps the server offers, waiting while they are being prepared.
   *
   * @param edition the one whose dumps are asked for; the client's, or the one that is served, by default
   * @returns undefined when it offers none, or no longer those of the edition
   */
  manifest(edition?: string): Promise<ServedManifest | undefined>;
}

/**
 * Makes a client. All its requests pass through one limiter.
 *
 * @throws OptionError when an option cannot be used
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
    return readManifest(request, { url, signal: filled.signal, patienceMs: filled.maxWaitMs });
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
    suggest: (prefix, field) => ask('suggest', { field, prefix }, 'Suggestions'),
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
