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

/** A request for an endpoint, with everything that answers it. */
export interface ArchiveRequest {
  language: Language;
  /** Those that the endpoint knows, checked and in their one form: see `readParameters`. */
  parameters: URLSearchParams;
  /**
   * What stands in the request's path for the segments `:name` of the route's, or, as it was written, for `*name`; empty
   * where nothing does.
   */
  segment(name: string): string;
  /** The edition that the whole answer comes from. */
  open: OpenEdition;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** A successful answer: its parts, or a file of which parts can be asked for. */
export interface Answer {
  contentType: string;
  body: readonly Chunk[] | VirtualFile;
  /** Addresses for the header `Link`, by how they relate to this one (RFC 8288): `next`, `alternate` … */
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
  /** Whether the address changes with the body, so that caches can keep it indefinitely. */
  isImmutable?: boolean;
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

/** Another address, relative to the one asked for. */
export interface Redirect {
  location: string;
}

/** A request for a standalone response. */
export interface StandaloneRequest extends Pick<ArchiveRequest, 'language' | 'segment'> {
  /** The language that the reader likes best, where the path says none. */
  preferredLanguage: Language;
  /** The edition served now; undefined while nothing has been published. */
  open: OpenEdition | undefined;
}

/** What the endpoints need: the settings, and where the archive is read. */
export interface RouteDependencies extends Config {
  reader: EditionReader;
  queries: TextQueries;
  dumps: Dumps;
  changeLog: ChangeLog;
  caches: Caches;
  /** The editions that are kept and have been served, newest first. */
  keptEditions(): Promise<Edition[]>;
}

/** An endpoint: where it is, what it is for, and what answers it. */
export type Route = ArchiveRoute | StandaloneRoute;

interface Endpoint {
  /**
   * Path after the language, or from the root; `:uuid` and the like stand for a segment, `*path` at its end for all that
   * follows.
   */
  path: string;
  /** Whether its path begins at the root: no language stands before it, and English counts. */
  atRoot?: boolean;
  name: string;
  description: string;
  group: Group;
  parameters: readonly ParameterName[];
  content: Content;
  /** Problems that it has beside those that others have too. */
  problems?: readonly ProblemName[];
  /** Whether it is a file of which parts can be asked for (`Range`). */
  isFile?: boolean;
  /** Whether it is small already: no content coding is put on it. */
  isCompressed?: boolean;
  /** Whether it is for people: a page, or what pages need. These are no part of the API that OpenAPI describes. */
  isPage?: boolean;
}

/** What an endpoint answers with, for documentation. */
export interface Content {
  contentType: string;
  /** Absent where it is no JSON. */
  schema?: z.ZodType;
  /** What it is where the parameter `fields` asks for some fields only. */
  selectedSchema?: z.ZodType;
}

/** What endpoints are for, in the order of the documentation. */
export const GROUPS = {
  Records: 'Lists of records, ten on a page, and single records.',
  Search: 'Records that match a query, and values to type.',
  Bulk: 'All records in a few files, and what has changed since an edition.',
  About: 'What the archive is, and how to use it.',
} as const;

/** What an endpoint is for. */
export type Group = keyof typeof GROUPS;

/** An endpoint that answers from an edition of the archive. */
export interface ArchiveRoute extends Endpoint {
  /** The kind of its records; absent where they are of all kinds. */
  kind?: Kind;
  /** What its answer depends on beside the edition and its URL: asked for every request. Such answers are not kept. */
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

/** What each query parameter means. */
export const PARAMETERS = {
  bbox: 'Box that the features lie in: west,south,east,north in degrees. West may be more than east, across the date line.',
  edition:
    'Number of a kept edition, as Archive-Edition gives it, or its key: all pages then come from that edition. Without it, the edition served now.',
  field:
    'Field whose values are suggested: one that q may name and that holds a text, such as last_name. Without it, the names of all records.',
  fields:
    'Fields that are wanted of each record, with commas between: title,uuid; of what is embedded, location.name. Or brief, for a short set. Without it, all of them.',
  format: 'The value "api" is accepted; the body stays JSON.',
  of: 'Facets asked for, with commas between: kind, century, city, subject, gender. Without it, all of them.',
  page: 'Page of results, from 1. Without it, page 1.',
  prefix: 'What has been typed of the value; may be empty.',
  q: 'Filter of search, or of a file of records: clauses such as last_name:vries or city:Leiden, all of which must hold.',
  sort: 'Order of the hits: relevance (which is the order without it), name, date, -date (latest first) or id.',
  since: 'Number of a kept edition, as Archive-Edition gives it: what has happened since then.',
} as const;

/** The name of a query parameter. */
export type ParameterName = keyof typeof PARAMETERS;

/** Exactly what the contract has. */
const JSON_TYPE = 'application/json';

/** The content type of pages. */
export const HTML = 'text/html; charset=utf-8';

/** An answer in JSON. */
export function json(body: readonly Chunk[]): Answer {
  return { contentType: JSON_TYPE, body };
}

/** Answers in JSON, of the shape of `schema`. */
export function jsonContent(schema?: z.ZodType, selectedSchema?: z.ZodType): Content {
  return { contentType: JSON_TYPE, ...(schema && { schema }), ...(selectedSchema && { selectedSchema }) };
}

/** The path of a route as a URI template (RFC 6570), which OpenAPI writes too: `{uuid}` for `:uuid`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
