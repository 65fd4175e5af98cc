import type { ParameterizedContext } from 'koa';
import type { EditionsInUse, OpenEdition } from '../../edition/follow-editions.ts';
import type { Gate } from '../../gate.ts';
import { SharedWork } from '../../shared-work.ts';
import type { EditionSelector } from '../../storage/edition.ts';
import { MissingTextError } from '../../storage/stored-texts.ts';
import type {
  Answer,
  ArchiveRoute,
  Redirect,
  Route,
  StandaloneResponse,
  StandaloneRoute,
} from '../contract/route.ts';
import {
  editionNotKept,
  noEditionOfKey,
  noSuchPath,
  nothingPublished,
  starting,
} from '../problems/common-problems.ts';
import { Problem } from '../problems/problems.ts';
import { preferredLanguage } from '../request/accept.ts';
import type { EndpointRequest } from '../request/read-request.ts';
import type { BodyCache } from './body-cache.ts';
import { encodeStream } from './content-coding.ts';
import { endInPieces } from './end-in-pieces.ts';
import { ASSET_HEADERS, COMMON_HEADERS, PREVIEW_HEADERS } from './headers.ts';
import {
  type AnswerHeaders,
  encodeAnswer,
  type Headers,
  isNotModified,
  type Metadata,
  namesTag,
  type Representation,
} from './representation.ts';
import { clientAbort, sendFile } from './send-file.ts';
import { noteInTrace } from './trace.ts';

/** The resource of a request: its metadata, and a function that generates it. */
interface Resource extends Metadata {
  /** Whether its representation may be cached. */
  isKept: boolean;
  request: EndpointRequest;
  open: OpenEdition | undefined;
  answer(signal: AbortSignal): Promise<Answer>;
}

/** Limits of concurrent work: generating responses, and sending large ones and files. */
export interface Gates {
  making: Gate;
  sending: Gate;
}

/** Responds to a request for an endpoint. */
export type Responder = (
  context: ParameterizedContext,
  route: Route,
  request: EndpointRequest,
) => Promise<void>;

/** Creates the responder: it uses the cache, conditional requests, and shared work for concurrent requests. */
export function createResponder(
  editions: EditionsInUse,
  cache: BodyCache,
  answerHeaders: AnswerHeaders,
  { making: work, sending: downloads }: Gates,
): Responder {
  // Concurrent requests for the same resource share the work.
  const making = new SharedWork<Representation>();

  return async (context, route, request) => {
    if ('respond' in route) {
      await respondStandalone(context, route, request);
      return;
    }
    const open = await selectEdition(editions, request.edition);
    // Errors from here on may reveal the held edition.
    if (open.edition.isHeld) context.set(PREVIEW_HEADERS);
    try {
      await respond(context, await archiveResource(route, request, open));
    } catch (error) {
      if (!(error instanceof MissingTextError)) throw error;
      await editions.refresh();
      const next = await selectEdition(editions, request.edition);
      if (next.edition.id === open.edition.id) throw error;
      await respond(context, await archiveResource(route, request, next)).catch(reportChange);
    }
  };

  async function respondStandalone(
    context: ParameterizedContext,
    route: StandaloneRoute,
    request: EndpointRequest,
  ): Promise<void> {
    const open = editions.current();
    const found = await route.respond({
      language: request.language,
      segment: request.segment,
      preferredLanguage: preferredLanguage(context.get('Accept-Language')),
      open,
    });
    if (!found) throw noSuchPath(context.path);
    if (context.path !== '/' && context.path.endsWith('/')) redirectWithoutSlash(context);
    else if ('location' in found) redirectByLanguage(context, found);
    else await respond(context, standaloneResource(route, request, open, found));
  }

  function standaloneResource(
    { isAsset }: StandaloneRoute,
    request: EndpointRequest,
    open: OpenEdition | undefined,
    { contentType, body, version, modifiedAt, isHashed = false }: StandaloneResponse,
  ): Resource {
    const isFile = 'read' in body;
    const metadata = answerHeaders.describe(
      request,
      open,
      version,
      modifiedAt,
      isHashed ? 'hashed' : 'served',
    );
    return {
      ...metadata,
      ...(isAsset && { headers: { ...metadata.headers, ...ASSET_HEADERS } }),
      isKept: !isFile,
      request,
      open,
      answer: async () => ({ contentType, body: isFile ? body : [body] }),
    };
  }

  async function archiveResource(
    route: ArchiveRoute,
    request: EndpointRequest,
    open: OpenEdition,
  ): Promise<Resource> {
    const { key, publishedAt } = open.edition;
    const also = await route.alsoDependsOn?.();
    const version = also === undefined ? key : `${key} ${also}`;
    return {
      ...answerHeaders.describe(
        request,
        open,
        version,
        also === undefined ? publishedAt : undefined,
        request.edition !== undefined && !route.isPage ? 'pinned' : 'served',
      ),
      isKept: also === undefined && !open.edition.isHeld,
      request,
      open,
      answer: (signal) => route.answer({ ...request, open, signal }),
    };
  }

  async function respond(context: ParameterizedContext, resource: Resource): Promise<void> {
    const { request, open, coding, isKept } = resource;
    noteInTrace({ route: request.route, edition: open?.edition.id });
    if (namesTag(context.get('If-None-Match'), resource.etag)) {
      sendNotModified(context, resource);
      return;
    }
    const kept = isKept ? cache.get(open, coding, request.url) : undefined;
    noteInTrace({ cache: kept ? 'hit' : 'made' });
    const representation =
      kept ??
      (await making.run(
        resource.etag,
        (signal) => work.pass(() => make(resource, signal), signal),
        clientAbort(context),
      ));
    if ('body' in representation && isKept) cache.rememberTarget(context.req.url ?? '', request);
    if (isNotModified(context.headers, resource)) sendNotModified(context, resource);
    else {
      if (isDownload(representation)) context.res.once('close', await downloads.enter());
      await send(context, resource, representation);
    }
  }

  async function make(resource: Resource, signal: AbortSignal): Promise<Representation> {
    const { request, open, coding, isKept } = resource;
    const answer = await resource.answer(signal);
    const representation = await encodeAnswer(answer, answerHeaders.ofBody(answer, coding), resource);
    if ('body' in representation && isKept) cache.set(open, coding, request.url, representation);
    return representation;
  }
}

/** Whether sending it takes memory or work until the end. */
function isDownload(representation: Representation): boolean {
  return 'file' in representation ? !representation.file.isStored : 'parts' in representation;
}

/** Redirects to the page in the preferred language. */
function redirectByLanguage(context: ParameterizedContext, { location }: Redirect): void {
  redirect(context, 302, location);
  context.set('Vary', `${context.response.get('Vary')}, Accept-Language`);
}

/** Redirects to the path without its final slash: relative links in the documentation would break with it. */
function redirectWithoutSlash(context: ParameterizedContext): void {
  redirect(context, 308, `../${context.path.split('/').at(-2)}`);
}

/** Redirects to the path with a final slash, as in the addresses of pages; the query is kept. */
export function redirectToSlash(context: ParameterizedContext): void {
  redirect(context, 308, `./${context.path.split('/').at(-1)}/${context.search}`);
}

function redirect(context: ParameterizedContext, status: 302 | 308, location: string): void {
  context.status = status;
  context.set({ Location: location, 'Content-Type': 'application/json' });
  context.body = JSON.stringify({ location });
}

function sendNotModified(context: ParameterizedContext, { headers }: Metadata): void {
  noteInTrace({ cache: 'not-modified' });
  setHeaders(context, headers);
  context.status = 304;
}

/** Sets headers, except the common ones with their usual value, which are set already. */
function setHeaders({ res }: ParameterizedContext, headers: Headers): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && COMMON_HEADERS[name] !== value) res.setHeader(name, value);
  }
}

async function send(
  context: ParameterizedContext,
  { coding, headers }: Metadata,
  representation: Representation,
): Promise<void> {
  context.status = 200;
  setHeaders(context, headers);
  setHeaders(context, representation.bodyHeaders);
  if ('file' in representation) {
    await sendFile(context, representation.file, coding);
  } else if ('body' in representation) {
    const { body } = representation;
    if (context.method === 'HEAD') context.body = body;
    else {
      context.respond = false;
      context.length = body.length;
      endInPieces(context.res, body);
    }
  } else {
    // The parts are in memory, and cannot fail.
    if (context.method !== 'HEAD') context.body = encodeStream(representation.parts, coding);
    if (coding === 'identity') context.length = representation.length;
  }
}

/** @throws Problem if the edition was swept a second time */
function reportChange(error: unknown): never {
  if (!(error instanceof MissingTextError)) throw error;
  throw new Problem('edition-changing', {
    en: 'The edition was replaced twice while the response was being generated.',
    nl: 'De editie is tijdens het verwerken van het verzoek tweemaal vervangen.',
  });
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
  if (!editions.isStarted()) throw starting();
  if (named === undefined) throw nothingPublished();
  const kept = await editions.kept();
  const [newest] = kept;
  if (newest === undefined) throw nothingPublished();
  const list = kept.join(', ');
  const expected = { en: `one of the kept editions: ${list}`, nl: `een van de bewaarde edities: ${list}` };
  if (typeof named === 'string') throw noEditionOfKey(named, expected, { editions: kept });
  // A lagging node of the database may have received it since.
  const arrived = kept.includes(named) ? await editions.find(named) : undefined;
  if (arrived) return arrived;
  throw editionNotKept(named, newest, expected, { editions: kept });
}
