import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Language } from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import { type Gate, SharedWork } from '../concurrency.ts';
import type { Config } from '../config.ts';
import type { VirtualFile } from '../edition/dumps.ts';
import { encodeChunks } from '../edition/edition-reader.ts';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import type { OpenEdition } from '../edition/open-editions.ts';
import type { EditionSelector } from '../storage/edition.ts';
import { MissingTextError } from '../storage/texts.ts';
import {
  ALLOWED_METHODS,
  ASSET_HEADERS,
  COMMON_HEADERS,
  conditionalStatus,
  createContentSecurityPolicy,
  FORM_METHODS,
  type Headers,
  isRangeAllowed,
  linkHeader,
  namesTag,
  originHeaders,
  PREVIEW_HEADERS,
  preferredLanguage,
  type Validators,
} from './headers.ts';
import type { HotCache, Resource, WholeBody } from './hot-cache.ts';
import { canonicalUrl, isEdition, PARAMETERS, readParameters } from './parameters.ts';
import { editionNotKept, noSuchPath, Problem } from './problems.ts';
import { formBytes, readForm } from './read-form.ts';
import type { Answer, ArchiveRequest, Redirect, Route } from './route.ts';
import { type Coding, clientAbort, encodeBody, redirect, sendFile, whenClosed } from './send.ts';
import { noteInTrace } from './trace.ts';

/** Limits of concurrent work: generating responses, and sending large ones and files. */
export interface Gates {
  making: Gate;
  sending: Gate;
}

interface RespondDependencies {
  editions: EditionsInUse;
  cache: HotCache;
  gates: Gates;
  config: Pick<Config, 'baseUrl' | 'cacheControl' | 'pinnedCacheControl'>;
  /** Version of the program, which is part of the ETag because rendering may change. */
  software: string;
  chooseCoding(acceptEncoding: string | undefined): Coding;
}

/** The context of a request whose path a route matches. */
type Context = ParameterizedContext & { params: Record<string, string> };

/** Creates the handler of the requests for an endpoint in a language; `path` is its path from the root. */
export type Respond = (route: Route, language: Language, path: string) => (context: Context) => Promise<void>;

/** A normalized request, before an edition is selected. */
interface EndpointRequest extends Resource, Omit<ArchiveRequest, 'open' | 'served' | 'signal'> {
  coding: Coding;
}

/** A response as sent: complete in memory, or a file, as which a body that is too large to cache is sent too. */
type Representation = WholeBody | { bodyHeaders: Headers; file: VirtualFile };

/** A year, the longest that caches keep a response. */
const HASHED_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Size above which a body is large. */
const LARGE_BYTES = 4 * 2 ** 20;

/** Memory of a cached body besides its bytes. */
const OVERHEAD_BYTES = 4_096;

/**
 * Creates the responder: it selects the edition, compares its ETag with that of the client, and sends the response from the
 * cache or generates it. Concurrent requests for the same resource share the work.
 */
export function createRespond(dependencies: RespondDependencies): Respond {
  const { editions, cache, gates, software, chooseCoding } = dependencies;
  const { baseUrl, cacheControl, pinnedCacheControl } = dependencies.config;
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  const making = new SharedWork<Representation>();

  return (route, language, path) => async (context) => {
    const isForm = context.method === 'POST' && route.takesForms === true;
    if (route.takesForms) context.set('Allow', FORM_METHODS);
    if (context.method === 'OPTIONS') {
      if (route.takesForms) context.set('Access-Control-Allow-Methods', FORM_METHODS);
      context.body = JSON.stringify(describe(route));
      context.set('Content-Type', 'application/json');
    } else if (context.method !== 'GET' && context.method !== 'HEAD' && !isForm) {
      const detail = `Method ${context.method} is not allowed: the archive is read-only.`;
      throw new Problem('method-not-allowed', detail, ALLOWED_METHODS);
    } else {
      const { mostFormBytes } = route;
      // What is left of a form that is refused is not read.
      if (isForm && formBytes(context.req, mostFormBytes) === undefined) context.set('Connection', 'close');
      const other = otherSlash(route, path, context);
      if (other !== undefined) {
        redirect(context, 308, other);
        return;
      }
      const form = isForm ? `&${await readForm(context.req, mostFormBytes)}` : '';
      await respond(context, route, readRequest(context, route, language, path, form));
    }
  };

  async function respond(context: Context, route: Route, request: EndpointRequest): Promise<void> {
    const select = () => (route.dependsOn ? editions.current() : selectEdition(editions, request.edition));
    const open = await select();
    // Errors from here on may reveal the held edition.
    if (open?.edition.isHeld) context.set(PREVIEW_HEADERS);
    try {
      await respondFrom(context, route, request, open);
    } catch (error) {
      // The edition was swept meanwhile.
      if (!(error instanceof MissingTextError)) throw error;
      await editions.refresh();
      const next = await select();
      if (next?.edition.id === open?.edition.id) throw error;
      await respondFrom(context, route, request, next);
    }
  }

  /**
   * Parses a request, without any lookup.
   *
   * @param form parameters that count more than those of the URL
   * @throws Problem for invalid parameters
   */
  function readRequest(
    context: Context,
    { parameters: known, content }: Route,
    language: Language,
    route: string,
    form: string,
  ): EndpointRequest {
    const query = new URLSearchParams(context.querystring + form);
    const parameters = readParameters(known, query);
    const path = canonicalPath(route, context);
    const edition = parameters.get('edition');
    // A range is part of the uncompressed bytes, so that a client can resume a download.
    const isPlain = content.isCompressed || (content.hasRanges && context.get('Range'));
    return {
      ...{ route, path, language, parameters, query },
      segment: (name) => context.params[name] ?? '',
      preferredLanguage: preferredLanguage(context),
      accepts: (types) => context.accepts([...types]),
      url: canonicalUrl(baseUrl + path, parameters),
      edition: edition === null ? undefined : isEdition(edition) ? Number(edition) : edition,
      coding: isPlain ? 'identity' : chooseCoding(context.get('Accept-Encoding')),
    };
  }

  async function respondFrom(
    context: ParameterizedContext,
    route: Route,
    request: EndpointRequest,
    open: OpenEdition | undefined,
  ): Promise<void> {
    const ask = async (signal: AbortSignal) => {
      const facts = { ...request, signal, served: open };
      // V8 keeps a getter that an object is written with until it collects all garbage, and with it the request.
      const found = await route.handle(
        open
          ? { ...facts, open }
          : {
              ...facts,
              get open() {
                return refuse(editions);
              },
            },
      );
      if (!found) throw noSuchPath(context.path);
      return found;
    };
    const other = route.alternate?.(request);
    if (other) {
      redirect(context, other.status ?? 302, other.location);
      return;
    }
    const aborted = clientAbort(context);
    const found =
      route.dependsOn === 'state'
        ? await gates.making.pass(() => ask(aborted), aborted)
        : route.dependsOn && (await ask(aborted));
    if (found && 'location' in found) {
      redirect(context, found.status ?? 302, found.location);
      context.vary('Accept-Language');
    } else await send(context, route, request, open, found || ask, aborted);
  }

  /** @param found the answer, or a function that generates it if neither the client nor the cache has it */
  async function send(
    context: ParameterizedContext,
    route: Route,
    { url, coding, language, edition, route: pattern }: EndpointRequest,
    open: OpenEdition | undefined,
    found: Answer | ((signal: AbortSignal) => Promise<Answer | Redirect>),
    aborted: AbortSignal,
  ): Promise<void> {
    const served = open?.edition;
    const ofEdition = { version: served?.key, modifiedAt: served?.publishedAt, isHashed: false };
    const { version = '', modifiedAt, isHashed } = 'body' in found ? found : ofEdition;
    const isHeld = served?.isHeld;
    const isPinned = edition !== undefined && route.group;
    const isForm = context.method === 'POST';
    const isKept = route.dependsOn !== 'state' && !isHeld && !isForm;
    const facts = JSON.stringify([version, software, url]);
    const etag = `"${hash('sha256', facts, 'base64url').slice(0, 27)}-${coding}"`;
    const lastModified = modifiedAt?.toUTCString();
    const headers = {
      ...originHeaders(language, open),
      ETag: etag,
      ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
      'Cache-Control': isHashed ? HASHED_CACHE_CONTROL : isPinned ? pinnedCacheControl : cacheControl,
      ...(isHeld && PREVIEW_HEADERS),
      ...(route.isAsset && ASSET_HEADERS),
      ...(route.takesForms && { Allow: FORM_METHODS }),
    };
    const resource = { etag, lastModified, headers };
    noteInTrace({ route: pattern, edition: served?.id });
    /** Whether the request ends with its preconditions; a response of a status other than success ignores them. */
    const endsEarly = () => {
      const status = conditionalStatus(context.headers, resource);
      if (status === 412) {
        const detail = 'The resource is another version than If-Match or If-Unmodified-Since demands.';
        throw new Problem('precondition-failed', detail);
      }
      if (status === 200) return false;
      noteInTrace({ cache: 'not-modified' });
      context.set(headers);
      context.status = status;
      return true;
    };
    // A tag was sent before, so that the resource exists.
    if (!isForm && namesTag(context.get('If-None-Match'), etag) && endsEarly()) return;
    const kept = isKept ? cache.get(open, coding, url) : undefined;
    noteInTrace({ cache: kept ? 'hit' : 'made' });
    const make = async (signal: AbortSignal) => {
      const answer = 'body' in found ? found : await found(signal);
      if ('location' in answer) throw noSuchPath(context.path);
      const made = await represent(route, resource, answer, coding);
      if ('body' in made && isKept) cache.set(open, coding, url, made);
      return made;
    };
    const representation =
      kept ?? (await making.run(etag, (signal) => gates.making.pass(() => make(signal), signal), aborted));
    if ('body' in representation && isKept)
      cache.rememberTarget(context.req.url ?? '', { url, edition, route: pattern });
    if (!isForm && endsEarly()) return;
    const file = 'file' in representation ? representation.file : undefined;
    // Generating it takes memory or work until its end has been sent.
    if (file && !file.isStored) {
      const slot = await gates.sending.enter(aborted);
      whenClosed(context.res, () => slot[Symbol.dispose]());
    }
    context.status = 200;
    context.set({ ...headers, ...representation.bodyHeaders });
    if ('body' in representation) context.body = representation.body;
    else {
      // The date of a file on disk is no strong validator: it may have changed twice in a second.
      const dated = route.dependsOn ? undefined : lastModified;
      const hasRange =
        route.content.hasRanges && isRangeAllowed(context.get('If-Range'), { etag, lastModified: dated });
      await sendFile(context, representation.file, coding, { ...route.content, hasRange });
    }
  }

  async function represent(
    { content }: Route,
    { etag, lastModified, headers }: Validators & { headers: Headers },
    { contentType = content.contentType, body, links = {} }: Answer,
    coding: Coding,
  ): Promise<Representation> {
    const bodyHeaders = {
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      // Browsers ignore the sandbox for PDF, or refuse to show it; so it is downloaded.
      ...(contentType === 'application/pdf' && { 'Content-Disposition': 'attachment' }),
      Link: linkHeader(links, baseUrl),
    };
    if ('read' in body) return { bodyHeaders, file: body };
    const parts = encodeChunks(body);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > LARGE_BYTES)
      return { bodyHeaders, file: { size: length, read: () => Readable.from(parts) } };
    const [only = Buffer.concat(parts)] = parts.length === 1 ? parts : [];
    const encoded = await encodeBody(only, coding);
    const of304 = { ...COMMON_HEADERS, ...headers };
    const of200 = { ...of304, ...bodyHeaders, 'Content-Length': String(encoded.length) };
    return {
      ...{ etag, lastModified, bodyHeaders },
      body: encoded,
      rawHeaders: { 200: Object.entries(of200).flat(), 304: Object.entries(of304).flat() },
      byteLength: encoded.length + OVERHEAD_BYTES,
    };
  }
}

/** The response to OPTIONS of an endpoint. */
function describe({ name, description, parameters, takesForms }: Route) {
  return {
    name,
    description,
    methods: (takesForms ? FORM_METHODS : ALLOWED_METHODS).split(', '),
    renders: ['application/json'],
    parameters: Object.fromEntries(parameters.map((each) => [each, PARAMETERS[each].description])),
  };
}

/** The address of a resource, relative to one that differs only by its final slash; undefined if it is the requested one. */
function otherSlash(route: Route, path: string, context: Context): string | undefined {
  const [last = '', name = ''] = context.path.split('/').reverse();
  if (path.endsWith('/')) return last === '' ? undefined : `./${last}/${context.search}`;
  // Relative links in the documentation would break with a final slash; that of a file's name belongs to the name.
  const isOwn = !route.dependsOn || path.includes('*');
  return last === '' && !isOwn ? `../${name}${context.search}` : undefined;
}

/** The path of a request, percent-encoded in one way, with UUIDs in lower case. */
function canonicalPath(pattern: string, { path, params }: Context): string {
  if (pattern.includes('*')) return path;
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    return encodeURIComponent((name === 'uuid' ? value.toLowerCase() : value).toWellFormed());
  });
}

/** @throws Problem because no edition is served */
function refuse(editions: EditionsInUse): never {
  throw new Problem(editions.isStarted() ? 'nothing-published' : 'starting');
}

/**
 * The edition for a request: the named one, by default the served one.
 *
 * @throws Problem if it is not kept, or nothing has been published; also for a held edition that is named by its number
 */
async function selectEdition(
  editions: EditionsInUse,
  named: EditionSelector | undefined,
): Promise<OpenEdition> {
  const open = named === undefined ? editions.current() : await editions.find(named);
  if (open) return open;
  if (named === undefined || !editions.isStarted()) refuse(editions);
  const kept = (await editions.kept()).map(({ id }) => id);
  const [newest] = kept;
  if (newest === undefined) refuse(editions);
  const expected = `one of the kept editions: ${kept.join(', ')}`;
  if (typeof named === 'string') {
    throw new Problem('no-such-edition', `No edition with key ${named}.`, expected, { editions: kept });
  }
  // A lagging node of the database may have received it since.
  const arrived = kept.includes(named) ? await editions.find(named) : undefined;
  if (arrived) return arrived;
  throw editionNotKept(named, newest, expected, { editions: kept });
}
