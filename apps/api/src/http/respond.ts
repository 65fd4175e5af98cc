import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../config.ts';
import { encodeChunks, encodeTexts } from '../edition/chunks.ts';
import type { VirtualFile } from '../edition/dumps.ts';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import type { OpenEdition } from '../edition/open-editions.ts';
import type { Gate } from '../gate.ts';
import type { EditionSelector } from '../storage/edition.ts';
import { MissingTextError } from '../storage/texts.ts';
import {
  commonHeaders,
  conditionalStatus,
  createContentSecurityPolicy,
  EARLIER_HEADERS,
  FRAMED_HEADERS,
  type Headers,
  isRangeAllowed,
  linkHeader,
  methodsOf,
  namesTag,
  originHeaders,
  PREVIEW_HEADERS,
  UNNEGOTIATED_HEADERS,
  VARY_BY_LANGUAGE,
  type Validators,
} from './headers.ts';
import { type HotCache, type Resource, sendWhole, type WholeBody } from './hot-cache.ts';
import { editionNotKept, noSuchPath, Problem } from './problems.ts';
import {
  type Answer,
  type ArchiveRequest,
  isNegotiated,
  type NegotiatedRequest,
  type Redirect,
  type Reply,
  type Route,
} from './route.ts';
import { type Coding, clientAbort, encodeBody, sendFile, sendRedirect, whenClosed } from './send.ts';
import { SharedWork } from './shared-work.ts';
import { noteInTrace } from './trace.ts';

/** Limits of concurrent work: generating responses, those of searches among them, and sending large ones and files. */
export interface Gates {
  making: Gate;
  searching: Gate;
  sending: Gate;
}

interface RespondDependencies {
  editions: EditionsInUse;
  cache: HotCache;
  gates: Gates;
  config: Pick<Config, 'baseUrl' | 'cacheControl' | 'pinnedCacheControl'>;
  /** Version of the program, which is part of the ETag because rendering may change. */
  software: string;
}

/** A normalized request, before an edition is selected. */
export interface EndpointRequest extends Resource, NegotiatedRequest {
  coding: Coding;
}

/** Responds to a request for a route. */
export type Respond = (
  context: ParameterizedContext,
  route: Route,
  request: EndpointRequest,
) => Promise<void>;

/** A response as sent: complete in memory, or a file, as which a body that is too large to cache is sent too. */
type Representation = WholeBody | LargeBody;

interface LargeBody {
  bodyHeaders: Headers;
  file: VirtualFile;
}

/** What is known of a response before its body. */
interface Head extends Validators {
  headers: Headers;
}

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
export function createRespond({ editions, cache, gates, config, software }: RespondDependencies): Respond {
  const { baseUrl, cacheControl, pinnedCacheControl } = config;
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  const making = new SharedWork<Representation | Redirect | Reply>();

  return async (context, route, request) => {
    const isCurrent = route.dependsOn && request.edition === undefined;
    const select = () => (isCurrent ? editions.current() : selectEdition(editions, request.edition));
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
  };

  /**
   * Does work in its turn. Searches of the served edition have a limit of their own before that of all, so that a crawl of them leaves
   * room for readers; those of others, which wait until an index is open, are limited by that.
   */
  function enter<Result>(
    route: Route,
    { parameters, edition }: EndpointRequest,
    work: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const make = () => gates.making.pass(work, signal);
    const isSearch = parameters.has('q') || (route.parameters.includes('q') && route.group !== 'Bulk');
    return (isSearch && edition === undefined) || route.takesForms
      ? gates.searching.pass(make, signal)
      : make();
  }

  async function respondFrom(
    context: ParameterizedContext,
    route: Route,
    request: EndpointRequest,
    open: OpenEdition | undefined,
  ): Promise<void> {
    const alternate = route.alternate?.(request);
    if (alternate) {
      sendRedirect(context, alternate);
      return;
    }
    const aborted = clientAbort(context);
    const ask = async (signal: AbortSignal) => {
      const answer = await route.handle(withEdition(request, open, signal));
      if (!answer) throw noSuchPath(context.path);
      return answer;
    };
    // What does not depend on the edition alone has its version in its answer.
    const known =
      route.dependsOn === 'state'
        ? await enter(route, request, () => ask(aborted), aborted)
        : route.dependsOn && (await ask(aborted));
    if (known && 'location' in known) {
      sendRedirect(context, known);
      if (known.status !== 301) context.set(VARY_BY_LANGUAGE);
      return;
    }
    if (known && 'text' in known) {
      sendReply(context, known);
      return;
    }
    const { url, coding, edition, route: pattern } = request;
    const isForm = context.method === 'POST';
    const head = describeHead(route, request, open, known);
    const isCached = route.dependsOn !== 'state' && !open?.edition.isHeld && !isForm;
    noteInTrace({ route: pattern, edition: open?.edition.id });
    // A tag was sent before, so that the resource exists.
    if (!isForm && namesTag(context.get('If-None-Match'), head.etag) && endsEarly(context, head)) return;
    const cached = isCached ? cache.get(open, coding, url) : undefined;
    noteInTrace({ cache: cached ? 'hit' : 'made' });
    const make = async (signal: AbortSignal) => {
      const answer = known ?? (await ask(signal));
      if (!('body' in answer)) return answer;
      const made = await represent(route, head, answer, coding);
      if ('body' in made && isCached) cache.set(open, coding, url, made);
      return made;
    };
    const made =
      cached ??
      (await making.run(head.etag, (signal) => enter(route, request, () => make(signal), signal), aborted));
    if ('location' in made) {
      sendRedirect(context, made);
      return;
    }
    if ('text' in made) {
      sendReply(context, made);
      return;
    }
    if ('body' in made && isCached)
      cache.rememberTarget(context.req.url ?? '', { url, edition, route: pattern });
    if (!isForm && endsEarly(context, head)) return;
    if ('body' in made) {
      context.respond = false;
      sendWhole(context.req, context.res, made, context.get('X-Request-Id'));
      return;
    }
    await send(context, route, head, made, coding, aborted);
  }

  function sendReply(context: ParameterizedContext, { status, contentType, text }: Reply): void {
    context.status = status;
    context.set({
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      Link: linkHeader({}, baseUrl),
    });
    context.body = text;
  }

  /** The request as a route handles it. Without an edition, to ask for it is a problem. */
  function withEdition(
    request: EndpointRequest,
    open: OpenEdition | undefined,
    signal: AbortSignal,
  ): ArchiveRequest {
    const facts = { ...request, signal, served: open };
    if (open) return { ...facts, open };
    // Only here: V8 keeps a getter that an object is written with until it collects all garbage, and with it the request.
    return {
      ...facts,
      get open() {
        return refuse(editions);
      },
    };
  }

  /** @param known the answer, if its version is its own and not that of the edition */
  function describeHead(
    route: Route,
    { url, coding, language, edition }: EndpointRequest,
    open: OpenEdition | undefined,
    known: Answer | undefined,
  ): Head {
    const served = open?.edition;
    const ofEdition = { version: served?.key, modifiedAt: served?.publishedAt, isHashed: false };
    const { version = '', modifiedAt, isHashed } = known ?? ofEdition;
    const isPinned = edition !== undefined && route.group;
    const facts = JSON.stringify([version, software, url]);
    const etag = `"${hash('sha256', facts, 'base64url').slice(0, 27)}-${coding}"`;
    const lastModified = modifiedAt?.toUTCString();
    const headers = {
      ...originHeaders(language, open),
      ETag: etag,
      ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
      'Cache-Control': isHashed ? HASHED_CACHE_CONTROL : isPinned ? pinnedCacheControl : cacheControl,
      ...(route.isFramed && FRAMED_HEADERS),
      ...(edition !== undefined && !route.group && EARLIER_HEADERS),
      ...(served?.isHeld && PREVIEW_HEADERS),
      ...(!isNegotiated(route) && UNNEGOTIATED_HEADERS),
      ...(route.takesForms && { Allow: methodsOf(route) }),
    };
    return { etag, lastModified, headers };
  }

  async function send(
    context: ParameterizedContext,
    { content, dependsOn }: Route,
    { etag, lastModified, headers }: Head,
    { bodyHeaders, file }: LargeBody,
    coding: Coding,
    aborted: AbortSignal,
  ): Promise<void> {
    // Generating it takes memory or work until its end has been sent.
    if (!file.isStored) {
      const slot = await gates.sending.enter(aborted);
      whenClosed(context.res, () => slot[Symbol.dispose]());
    }
    context.status = 200;
    context.set({ ...headers, ...bodyHeaders });
    // The date of a file on disk is no strong validator: it may have changed twice in a second.
    const dated = dependsOn ? undefined : lastModified;
    const hasRange =
      content.hasRanges && isRangeAllowed(context.get('If-Range'), { etag, lastModified: dated });
    await sendFile(context, file, coding, { ...content, hasRange });
  }

  async function represent(
    { content, isFramed }: Route,
    { etag, lastModified, headers }: Head,
    { contentType = content.contentType, body, links = {} }: Answer,
    coding: Coding,
  ): Promise<Representation> {
    const bodyHeaders = {
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      'Content-Security-Policy': contentSecurityPolicy(contentType, isFramed),
      // Browsers ignore the sandbox for PDF, or refuse to show it; so it is downloaded.
      ...(contentType === 'application/pdf' && { 'Content-Disposition': 'attachment' }),
      Link: linkHeader(links, baseUrl),
    };
    if ('read' in body) return { bodyHeaders, file: body };
    const encodedTexts = [...encodeTexts(body)];
    const size = encodedTexts.reduce((sum, part) => sum + part.length, 0);
    if (size > LARGE_BYTES)
      return { bodyHeaders, file: { size, read: () => Readable.from(encodeChunks(encodedTexts)) } };
    const parts = [...encodeChunks(encodedTexts)];
    const [only = Buffer.concat(parts)] = parts.length === 1 ? parts : [];
    const encoded = await encodeBody(only, coding);
    const of304 = { ...commonHeaders(isFramed), ...headers };
    const of200 = { ...of304, ...bodyHeaders, 'Content-Length': String(encoded.length) };
    return {
      ...{ etag, lastModified },
      body: encoded,
      rawHeaders: { 200: Object.entries(of200).flat(), 304: Object.entries(of304).flat() },
      byteLength: encoded.length + OVERHEAD_BYTES,
    };
  }
}

/**
 * Whether a request ends with its preconditions; a response of a status other than success ignores them.
 *
 * @throws Problem if one fails
 */
function endsEarly(context: ParameterizedContext, head: Head): boolean {
  const status = conditionalStatus(context.headers, head);
  if (status === 412) {
    const detail = 'The resource is another version than If-Match or If-Unmodified-Since demands.';
    throw new Problem('precondition-failed', detail);
  }
  if (status === 200) return false;
  noteInTrace({ cache: 'not-modified' });
  context.set(head.headers);
  context.status = status;
  return true;
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
