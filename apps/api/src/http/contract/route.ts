import { createHash } from 'node:crypto';
import type { Kind, Language } from '@archiefkast/types';
import type { z } from 'zod';
import type { Caches } from '../../cache.ts';
import type { Config } from '../../config.ts';
import type { ChangeLog } from '../../edition/changes.ts';
import type { Chunk } from '../../edition/chunks.ts';
import type { Dumps } from '../../edition/dumps.ts';
import type { EditionReader } from '../../edition/edition-reader.ts';
import type { OpenEdition } from '../../edition/follow-editions.ts';
import type { TextQueries } from '../../edition/texts.ts';
import type { Edition } from '../../storage/edition.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import type { ProblemName } from '../problems/problems.ts';

/** A request for an endpoint, with the edition that it is answered from. */
export interface ArchiveRequest {
  language: Language;
  /** The known parameters, validated and normalized: see `readParameters`. */
  parameters: URLSearchParams;
  /**
   * The segment of the path for `:name` in the route, or the rest of the path, undecoded, for `*name`; empty if missing.
   */
  segment(name: string): string;
  /** The edition of the response. */
  open: OpenEdition;
  /** Aborted when no client waits for the response. */
  signal: AbortSignal;
}

/** A successful response: chunks, or a file that supports range requests. */
export interface Answer {
  contentType: string;
  body: readonly Chunk[] | VirtualFile;
  /** URLs for the `Link` header by relation (RFC 8288): `next`, `alternate` … */
  links?: Readonly<Record<string, string>>;
}

/** A response that belongs to no edition: documentation, assets and media. */
export interface StandaloneResponse {
  contentType: string;
  /** A buffer is cached; a file is not. */
  body: Buffer | VirtualFile;
  /** Changes with the body. */
  version: string;
  /** When it last changed; absent if unknown. */
  modifiedAt?: Date;
  /** Whether the address has a hash of the body, so that caches can keep it indefinitely. */
  isHashed?: boolean;
}

/** A standalone response in memory. */
export interface TextResponse extends StandaloneResponse {
  body: Buffer;
}

/** A standalone response with this text as its body. */
export function createTextResponse(contentType: string, text: string | Buffer): TextResponse {
  const body = Buffer.from(text);
  return { contentType, body, version: createHash('sha256').update(body).digest('base64url').slice(0, 22) };
}

/** A redirect to a URL relative to the request. */
export interface Redirect {
  location: string;
}

/** A request for a standalone response. */
export interface StandaloneRequest extends Pick<ArchiveRequest, 'language' | 'segment'> {
  /** The preferred language of the reader, for paths without one. */
  preferredLanguage: Language;
  /** The served edition; undefined if nothing has been published. */
  open: OpenEdition | undefined;
}

/** Dependencies of the endpoints. */
export interface RouteDependencies extends Config {
  reader: EditionReader;
  queries: TextQueries;
  dumps: Dumps;
  changeLog: ChangeLog;
  caches: Caches;
  /** The kept editions that are not held, newest first. */
  keptEditions(): Promise<Edition[]>;
}

/** An endpoint: path, description and handler. */
export type Route = ArchiveRoute | StandaloneRoute;

interface Endpoint {
  /**
   * Path after the language, or from the root. `:name` stands for a segment, a final `*name` for the rest of the path.
   */
  path: string;
  /** Whether its path has no language; the response is in English. */
  atRoot?: boolean;
  name: string;
  description: string;
  group: Group;
  parameters: readonly ParameterName[];
  content: Content;
  /** Problems that are specific to this endpoint. */
  problems?: readonly ProblemName[];
  /** Whether it is a file that supports range requests. */
  isFile?: boolean;
  /** Whether its content is compressed already, so that no content coding is applied. */
  isCompressed?: boolean;
  /** Whether it is a page or an asset of pages, which OpenAPI does not describe. */
  isPage?: boolean;
  /** Whether it is an asset of pages or a media file: its response is the same for every `Accept`. */
  isAsset?: boolean;
}

/** The content of a response, for documentation. */
export interface Content {
  contentType: string;
  /** Absent if it is not JSON. */
  schema?: z.ZodType;
  /** The schemas with the parameter `fields`: of `brief`, and of any selection. */
  selectedSchemas?: readonly z.ZodType[];
}

/** Groups of endpoints, in the order of the documentation. */
export const GROUPS = {
  Records: 'Lists of records, ten per page, and single records.',
  Search: 'Search, facets and suggestions.',
  Bulk: 'All records in a few files, and changes since an edition.',
  About: 'The archive and its documentation.',
} as const;

/** A group of endpoints. */
export type Group = keyof typeof GROUPS;

/** An endpoint that answers from an edition of the archive. */
export interface ArchiveRoute extends Endpoint {
  /** The kind of its records; absent for all kinds. */
  kind?: Kind;
  /** State that the response depends on besides edition and URL, read for every request. Such responses are not cached. */
  alsoDependsOn?(): Promise<string>;
  answer(request: ArchiveRequest): Promise<Answer>;
}

/** An endpoint that needs no edition, and works before anything is published. */
export interface StandaloneRoute extends Endpoint {
  /** The response for a path, or a redirect; undefined if the path does not exist. */
  respond(
    request: StandaloneRequest,
  ): StandaloneResponse | Redirect | undefined | Promise<StandaloneResponse | undefined>;
}

/** The query parameters and their descriptions. */
export const PARAMETERS = {
  bbox: 'Bounding box of the features: west,south,east,north in degrees. West may be greater than east, to cross the date line.',
  date: 'Field of the range from … to on the page of search: birth_date, death_date or date.',
  edition:
    'Number of a kept edition, as in the header Archive-Edition, or its key, so that all pages come from that edition. Default: the served edition.',
  field:
    'Text field of search whose values are suggested, such as last_name. Default: the names of all records.',
  fields:
    'Comma-separated fields of each record, such as title,uuid; fields of embedded records, such as location.name; and brief, for a short set. Default: all fields.',
  format: 'Only the value "api" is valid; the response is JSON with or without it.',
  from: 'First year or day of the range on the page of search; absent for an open range.',
  kind: 'Kind of the records whose values are suggested: person, subject, location or event. Default: all kinds.',
  of: 'Comma-separated facets: kind, century, city, subject, gender. Default: all facets.',
  page: 'Page of results, from 1. Default: 1.',
  prefix: 'First characters of a word in the value; may be empty.',
  q: 'Query: words, or clauses such as last_name:vries or city:Leiden; a record matches if all of them match.',
  sort: 'Order of the hits: relevance (default), name, date, -date (latest first) or id.',
  to: 'Last year or day of the range on the page of search, included; absent for an open range.',
  since: 'Number of a kept edition, as in the header Archive-Edition: changes since that edition.',
} as const;

/** The name of a query parameter. */
export type ParameterName = keyof typeof PARAMETERS;

/** The content type of the contract, without charset. */
const JSON_TYPE = 'application/json';

/** The content type of pages. */
export const HTML = 'text/html; charset=utf-8';

/** A JSON response. */
export function json(body: readonly Chunk[]): Answer {
  return { contentType: JSON_TYPE, body };
}

/** Content in JSON, with its schemas. */
export function jsonContent(schema?: z.ZodType, ...selectedSchemas: z.ZodType[]): Content {
  return { contentType: JSON_TYPE, ...(schema && { schema }), selectedSchemas };
}

/** The path of a route as a URI template (RFC 6570), as OpenAPI uses: `{uuid}` for `:uuid`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
