import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '@archiefkast/types';
import type { z } from 'zod';
import type { Caches } from '../cache.ts';
import type { Config } from '../config.ts';
import type { ChangeLog } from '../edition/changes.ts';
import type { Chunk } from '../edition/chunks.ts';
import type { Dumps, VirtualFile } from '../edition/dumps.ts';
import type { EditionReader } from '../edition/edition-reader.ts';
import type { OpenEdition } from '../edition/open-editions.ts';
import type { Datestamps } from '../storage/datestamps.ts';
import type { Edition } from '../storage/edition.ts';
import type { Switch } from '../storage/history.ts';
import type { TextQueries } from '../storage/texts.ts';
import type { ParameterName } from './parameters.ts';
import type { ProblemName } from './problems.ts';

/** A request for an endpoint. */
export interface ArchiveRequest {
  language: Language;
  /** The preferred language of the reader, for paths without one. */
  preferredLanguage(): Language;
  /** The header `Accept`; empty without it. */
  accept: string;
  /** The known parameters, validated and normalized: see `readParameters`. */
  parameters: URLSearchParams;
  /** All parameters as sent, in the URL and then in a form. */
  query: URLSearchParams;
  /** The JSON that was sent, and the headers of the request. */
  sent?: { text: string; headers: IncomingHttpHeaders };
  /** The canonical path, percent-encoded. */
  path: string;
  /** The segment of the path for `:name` in the route; empty if missing. */
  segment(name: string): string;
  /** The edition of the response. @throws Problem if nothing has been published */
  readonly open: OpenEdition;
  /** The edition of the response; undefined if nothing has been published. */
  served: OpenEdition | undefined;
  /** Aborted when no client waits for the response. */
  signal: AbortSignal;
}

/** What a request tells before its edition is known. */
export type NegotiatedRequest = Omit<ArchiveRequest, 'open' | 'served' | 'signal'>;

/** A successful response: chunks, or a file. */
export interface Answer {
  /** That of the route, by default. */
  contentType?: string | undefined;
  body: readonly Chunk[] | VirtualFile;
  /** URLs for the `Link` header by relation (RFC 8288): `next`, `alternate` … */
  links?: Readonly<Record<string, string>>;
  /** Changes with the body; of a route whose responses do not depend on the edition alone. */
  version?: string;
  /** When it last changed; absent if unknown. */
  modifiedAt?: Date;
  /** Whether the address has a hash of the body, so that caches can keep it indefinitely. */
  isHashed?: boolean;
}

/** A redirect to a URL relative to the request. */
export interface Redirect {
  location: string;
  /** 302 by default; 301 if another record has taken the place of the requested one; 308 to the address with the right slash. */
  status?: 301 | 302 | 303 | 308;
}

/** An answer that does not depend on an edition, with a hash of its text as version. */
export function fixedAnswer(text: string | Buffer): Answer {
  const body = Buffer.from(text);
  return { body: [body], version: hash('sha256', body, 'base64url').slice(0, 22) };
}

/** A response of a protocol, with a status of its own. It is not cached. */
export interface Reply {
  status: number;
  contentType: string;
  text: string;
}

/** What a route responds. */
export type Response = Answer | Redirect | Reply;

export interface RouteDependencies extends Config {
  reader: EditionReader;
  queries: TextQueries;
  dumps: Dumps;
  changeLog: ChangeLog;
  caches: Caches;
  /** The random id of the archive. */
  archiveId(): string;
  /** The kept editions that are not held, newest first. */
  keptEditions(): Promise<Edition[]>;
  /** When another edition was served, newest first. */
  listSwitches(): Promise<Switch[]>;
  datestamps: Datestamps;
  /** Opens the kept edition with this key. */
  findOpen(key: string): Promise<OpenEdition | undefined>;
}

export interface Route {
  /** Path after the language, or from the root. `:name` stands for a segment, a final `*name` for the rest. */
  path: string;
  /** Whether its path has no language; the response is in English. */
  atRoot?: boolean;
  name: string;
  description: string;
  /** Its group in the documentation; absent for pages and their files, which OpenAPI does not describe. */
  group?: keyof typeof GROUPS;
  parameters: readonly ParameterName[];
  /** Whether its parameters may also be sent by POST, as a form. */
  takesForms?: boolean;
  /** Whether it responds to POST of JSON only, of at most `MOST_JSON_BYTES`; it depends on state. */
  takesJson?: boolean;
  /** Whether pages of others may show it in a frame. */
  isFramed?: boolean;
  /** Limit of such a form, in bytes; by default that of all forms. */
  mostFormBytes?: number;
  content: Content;
  /** Problems that are specific to this endpoint. */
  problems?: readonly ProblemName[];
  /**
   * What the response to a URL depends on: the edition, by default; only the program and its settings, so that it exists
   * before anything is published; or other state, so that it is not cached. The last two name the version of their answer.
   */
  dependsOn?: 'edition' | 'program' | 'state';
  /** Where a client is led that prefers another form to that of the route; undefined if it does not. */
  alternate?(request: NegotiatedRequest): Redirect | undefined;
  /** The answer, or a redirect; undefined if the path does not exist. */
  handle(request: ArchiveRequest): Response | undefined | Promise<Response | undefined>;
}

export interface Content {
  contentType: string;
  /** Of JSON: with all fields, and with the parameter `fields`: of `brief`, and of any selection. */
  schemas?: readonly z.ZodType[];
  /** Whether it is compressed already. */
  isCompressed?: boolean;
  /** Whether it is a file that supports range requests. */
  hasRanges?: boolean;
}

/** Groups of endpoints, in the order of the documentation. */
export const GROUPS = {
  Records: 'Lists of records, ten per page, and single records.',
  Search: 'Search, facets and suggestions.',
  Bulk: 'All records in a few files, and changes since an edition.',
  About: 'The archive and its documentation.',
} as const;

/** Whether `Accept` decides what a route responds, or as in the API, `Vary` says so by the contract. */
export function isNegotiated({ group, alternate }: Route): boolean {
  return group !== undefined || alternate !== undefined;
}

/** The content type of pages. */
export const HTML = 'text/html; charset=utf-8';

/** A response of a text. */
export function text(body: string): Answer {
  return { body: [body] };
}

/** A value as a JSON response. */
export function json(value: object): Answer {
  return text(JSON.stringify(value));
}

/** Content in JSON, with its schemas. The content type is that of the contract, without charset. */
export function jsonContent(...schemas: z.ZodType[]): Content {
  return { contentType: 'application/json', schemas };
}

/** A route with one representation and without parameters, which OpenAPI does not describe. */
export function plainRoute(path: string, name: string, contentType: string, handle: Route['handle']): Route {
  return { path, name, description: `${name}.`, parameters: [], content: { contentType }, handle };
}

/** A plain route at the root that exists before anything is published. */
export function programRoute(
  path: string,
  name: string,
  contentType: string,
  handle: Route['handle'],
): Route {
  return { ...plainRoute(path, name, contentType, handle), atRoot: true, dependsOn: 'program' };
}

/** The path of a route as a URI template (RFC 6570), as OpenAPI uses: `{uuid}` for `:uuid`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
