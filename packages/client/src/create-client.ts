import type {
  ArchiveIndex,
  ArchiveRecord,
  Changes,
  Editions,
  Event,
  Facets,
  Kind,
  Location,
  Person,
  Subject,
  Suggestions,
} from '@archiefkast/types';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import { addressOf, type ClientOptions } from './client-options.ts';
import type { AnswerName } from './contract-schemas.ts';
import { type FileFilter, readChanges, readManifest, streamRecords } from './dumps.ts';
import { RequestError, responseError, StatusError } from './errors.ts';
import { createRecordList, createSearch, type RecordList, type SearchOptions } from './listing.ts';
import { connect } from './request/request.ts';

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

/** The API of one archive in one language. */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client. All its requests pass through one limiter.
 *
 * @throws OptionError if an option is invalid
 */
export function createClient(options: ClientOptions) {
  const connection = connect(options);
  const { baseUrl, language } = connection;

  /** Requests a resource that is not a list. @param echo fields that must have these values, whatever the schema */
  async function ask<Answer>(
    path: string,
    parameters: Readonly<Record<string, string | undefined>>,
    schema: AnswerName | undefined,
    echo: Readonly<Record<string, string>> = {},
    lenient?: boolean,
  ): Promise<Answer> {
    const url = addressOf(connection, path, parameters);
    const expected = `a response with ${schema ? `the schema ${schema}` : 'GeoJSON'}`;
    const { body } = await connection.request<Answer>({ url, schema, expected, lenient });
    for (const [field, value] of Object.entries(echo)) {
      const came = Object(body)[field];
      const text = String((came === Object(came) ? came?.id : came) ?? '');
      if (text.normalize().trim() !== value.normalize().trim())
        throw responseError(url, `expected ${field} to be "${value}", not "${text}"`);
    }
    return body;
  }

  const lists = {
    person: createRecordList<Person>(connection, 'person'),
    subject: createRecordList<Subject>(connection, 'subject'),
    location: createRecordList<Location>(connection, 'location'),
    event: createRecordList<Event>(connection, 'event'),
  };
  return {
    /** Without a trailing slash. */
    baseUrl,
    language,
    persons: lists.person,
    subjects: lists.subject,
    locations: lists.location,
    events: lists.event,
    /** The records of a kind. */
    records: (kind: Kind): RecordList<ArchiveRecord> => lists[kind],
    /** The hits of a search; without a query, all records. */
    search: (query = '', searchOptions: SearchOptions = {}) => createSearch(connection, query, searchOptions),
    /** Values of a field with a prefix; without a field, names of records of all kinds. */
    suggest: (prefix: string, field?: string, kind?: Kind) => {
      const echo = { field: field ?? '', prefix };
      return ask<Suggestions>('suggest', { field, kind, prefix }, 'Suggestions', echo);
    },
    /** The locations or events on a map: all of them, or those that match a query or are in a box. */
    features: (kind: MappedKind, { query, sort, bbox }: MapFilter = {}) => {
      const parameters = { q: query, sort, bbox: bbox?.join(',') };
      return ask<FeatureCollection>(`${COLLECTIONS[kind]}.geojson`, parameters, undefined);
    },
    /** Number of records that match a query, by value. Without a query, of all records; without names, of every facet. */
    facets: (query?: string, of?: readonly FacetName[]) =>
      ask<Facets>('facets', { of: of?.join(','), q: query }, 'Facets'),
    /** Reads the description of the archive in an edition, by default that of the client; undefined if it has none. */
    async index(edition?: string): Promise<ArchiveIndex | undefined> {
      try {
        const parameters = edition === undefined ? {} : { edition };
        return await ask<ArchiveIndex>('', parameters, 'ArchiveIndex', { language }, true);
      } catch (error) {
        const isRefusal = error instanceof StatusError && error.status < 500;
        if (isRefusal || (error instanceof RequestError && error.reason === 'response')) return undefined;
        throw error;
      }
    },
    /** The kept editions. */
    editions: () => ask<Editions>('editions', { edition: undefined }, 'Editions'),
    /** The uuids of the records that were added, changed and removed since an edition. */
    changes: (since: number) =>
      ask<Changes>('changes', { since: String(since) }, 'Changes', { since: String(since) }),
    /**
     * Reads the manifest of the dumps; undefined if the server offers no dumps, or no longer those of the edition.
     *
     * @param edition of the dumps; by default the client's edition, or the served one
     */
    manifest: (edition?: string) => readManifest(connection, edition),
    /** Streams the changed records since an edition, and resumes when the connection breaks. */
    changedRecords: (since: number) =>
      readChanges(connection, addressOf(connection, 'changes.jsonl', { since: String(since) })),
    /**
     * Streams all records of a kind in one request, and resumes when the connection breaks; with a filter, those that match,
     * without resuming.
     */
    dump: <K extends Kind>(kind: K, filter: FileFilter = {}) => streamRecords(connection, kind, filter),
  };
}
