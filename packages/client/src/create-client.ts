import type {
  AbbreviatedEvent,
  ArchiveIndex,
  ArchiveRecord,
  ChangedRecord,
  Changes,
  Editions,
  Event,
  Facets,
  Gone,
  Kind,
  Language,
  Location,
  Person,
  RecordOfKind,
  Subject,
  Suggestions,
} from '@archiefkast/types';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { addressOf, type ClientOptions } from './client-options.ts';
import { type FileFilter, readChanges, readManifest, type ServedManifest, streamRecords } from './dumps.ts';
import {
  createRecordList,
  createSearch,
  type FullRecordList,
  type RecordList,
  type SearchListing,
  type SearchOptions,
} from './listing.ts';
import { connect } from './request/request.ts';
import { ask, readIndex } from './resources.ts';

/** Which features a map has. */
export interface MapFilter extends FileFilter {
  /** Only features in this box: west, south, east and north, in degrees. */
  bbox?: readonly [west: number, south: number, east: number, north: number] | undefined;
}

/** The kinds with maps. */
export type MappedKind = Extract<Kind, 'location' | 'event'>;

/** A location or event on a map (GeoJSON, RFC 7946). */
export interface MapFeature {
  type: 'Feature';
  /** Longitude and latitude; null if unknown. */
  geometry: { type: 'Point'; coordinates: [longitude: number, latitude: number] } | null;
  properties: { uuid: string; id: number; url: string; name: string } & Readonly<Record<string, unknown>>;
}

/** The features of a map. */
export interface FeatureCollection {
  type: 'FeatureCollection';
  features: MapFeature[];
}

/** Name of a facet. */
export type FacetName = keyof Facets['facets'];

/** The API of one archive in one language. Every call throws a RequestError if its request fails. */
export interface Client {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly language: Language;
  readonly persons: FullRecordList<Person>;
  readonly subjects: FullRecordList<Subject>;
  readonly locations: FullRecordList<Location>;
  readonly events: FullRecordList<Event>;
  /** The events with the addresses of their persons and location, which stay small at a location with many events. */
  readonly abbreviatedEvents: FullRecordList<AbbreviatedEvent>;
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
  /** Reads the description of the archive in an edition, by default that of the client; undefined if it has none. */
  index(edition?: string): Promise<ArchiveIndex | undefined>;
  /** The kept editions. */
  editions(): Promise<Editions>;
  /** The uuids of the records that were added, changed and removed since an edition. */
  changes(since: number): Promise<Changes>;
  /** The records that the archive has taken back. */
  gone(): Promise<Gone>;
  /**
   * Reads the manifest of the dumps; undefined if the server offers no dumps, or no longer those of the edition.
   *
   * @param edition of the dumps; by default the client's edition, or the served one
   */
  manifest(edition?: string): Promise<ServedManifest | undefined>;
  /** Streams the changed records since an edition, and resumes when the connection breaks. */
  changedRecords(since: number): AsyncGenerator<ChangedRecord, void, void>;
  /**
   * Streams all records of a kind in one request, and resumes when the connection breaks; with a filter, those that match,
   * without resuming.
   */
  dump<K extends Kind>(kind: K, filter?: FileFilter): AsyncGenerator<RecordOfKind[K], void, void>;
}

/**
 * Creates a client. All its requests pass through one limiter.
 *
 * @throws OptionError if an option is invalid
 */
export function createClient(options: ClientOptions): Client {
  const connection = connect(options);
  const { baseUrl, language } = connection;
  const lists = {
    person: createRecordList<Person>(connection, 'person'),
    subject: createRecordList<Subject>(connection, 'subject'),
    location: createRecordList<Location>(connection, 'location'),
    event: createRecordList<Event>(connection, 'event'),
  };
  return {
    baseUrl,
    language,
    persons: lists.person,
    subjects: lists.subject,
    locations: lists.location,
    events: lists.event,
    abbreviatedEvents: createRecordList<AbbreviatedEvent>(connection, 'event', 'abbreviated'),
    records: (kind) => lists[kind],
    search: (query = '', searchOptions = {}) => createSearch(connection, query, searchOptions),
    suggest: (prefix, field, kind) => {
      const echo = { field: field ?? '', prefix };
      return ask<Suggestions>(connection, 'suggest', { field, kind, prefix }, 'Suggestions', echo);
    },
    features: (kind, { query, sort, bbox } = {}) => {
      const parameters = { q: query, sort, bbox: bbox?.join(',') };
      return ask<FeatureCollection>(connection, `${COLLECTIONS[kind]}.geojson`, parameters, undefined);
    },
    facets: (query, of) => ask<Facets>(connection, 'facets', { of: of?.join(','), q: query }, 'Facets'),
    index: (edition) => readIndex(connection, edition),
    editions: () => ask<Editions>(connection, 'editions', { edition: undefined }, 'Editions'),
    changes: (since) =>
      ask<Changes>(connection, 'changes', { since: String(since) }, 'Changes', { since: String(since) }),
    gone: () => ask<Gone>(connection, 'gone', { edition: undefined }, 'Gone'),
    manifest: (edition) => readManifest(connection, edition),
    changedRecords: (since) =>
      readChanges(connection, addressOf(connection, 'changes.jsonl', { since: String(since) })),
    dump: (kind, filter = {}) => streamRecords(connection, kind, filter),
  };
}
