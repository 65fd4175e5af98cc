import { MediaUnreadableError } from '@archiefkast/bundle/media-file';
import { nearestName } from '@archiefkast/bundle/nearest-name';
import { recordPath, type SiteSettings } from '@archiefkast/site';
import { errorPage, notFoundPage } from '@archiefkast/site/errors';
import {
  isLanguage,
  KINDS,
  kindOfCollection,
  LANGUAGES,
  type Language,
  PAGE_SEGMENTS,
  UUID_PATTERN,
} from '@archiefkast/types';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { ClientAborted, GateClosedError } from '../concurrency.ts';
import { UnwritableRecordError } from '../edition/dumps.ts';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import { SearchBusy, SearchTimeout, SearchUnavailable } from '../search/index.ts';
import { isOutage } from '../storage/database-errors.ts';
import { createContentSecurityPolicy, languageOfPath, linkHeader, preferredLanguage } from './headers.ts';
import { MovedPermanently, PROBLEMS, Problem, type ProblemName } from './problems.ts';
import { HTML } from './route.ts';
import { createPageOf } from './routes/pages/page-data.ts';
import { ResponseCutOff, redirect } from './send.ts';
import { noteInTrace } from './trace.ts';

/** The content type of a problem (RFC 9457). */
const PROBLEM_TYPE = 'application/problem+json';

/** Headers of a success that an error must not have. */
const OF_SUCCESS = ['ETag', 'Last-Modified', 'Content-Encoding', 'Accept-Ranges'];

/** The problems of errors that are not the fault of the program. */
const PROBLEM_OF: readonly (readonly [new (...values: never[]) => Error, ProblemName])[] = [
  [SearchTimeout, 'search-timeout'],
  [SearchBusy, 'search-busy'],
  [SearchUnavailable, 'search-unavailable'],
  [GateClosedError, 'overloaded'],
  [MediaUnreadableError, 'file-unavailable'],
];

/**
 * Turns every error into `application/problem+json` (RFC 9457), or into a page if the client prefers HTML. Internal
 * details are logged, not sent. Errors are not cached: the same request may succeed in the next edition.
 */
export function createErrorHandler(log: Logger, editions: EditionsInUse, settings: SiteSettings) {
  const { baseUrl } = settings;
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  return (context: Context, error: unknown): void => {
    if (error instanceof ClientAborted) return;
    if (error instanceof MovedPermanently) {
      redirect(context, 301, error.location);
      // The next edition may have the record again.
      context.set('Cache-Control', 'no-store');
      return;
    }
    const problem = toProblem(error);
    noteInTrace({ problem });
    // A busy or lost index is logged once by the index, not for every request.
    const isLogged = error instanceof SearchBusy || error instanceof SearchUnavailable;
    if (problem !== error && !isLogged) logFailure(log, error, problem, context, 'request failed');
    const page = errorPageOf(context, problem, editions, settings);
    const contentType = page === undefined ? PROBLEM_TYPE : HTML;
    for (const name of OF_SUCCESS) context.remove(name);
    context.status = problem.status;
    context.set({
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      Link: linkHeader({}, baseUrl),
      ...(problem.status === 503 && { 'Retry-After': '1' }),
    });
    if (page !== undefined) context.vary('Accept-Language');
    context.body = page ?? JSON.stringify(problem.toBody(languageOfPath(context.path), baseUrl));
  };
}

/**
 * Logs and counts responses that ended too early, for the `error` event of Koa: either their body failed after the status
 * was sent, or the client closed the connection.
 */
export function reportCutOff(log: Logger): (error: Error, context: Context) => void {
  return (error, context) => {
    if (!(error instanceof ResponseCutOff)) {
      log.warn({ err: error }, 'the connection was closed during a response');
      return;
    }
    const problem = toProblem(error.cause);
    noteInTrace({ problem });
    logFailure(log, error.cause, problem, context, 'a response was cut off');
  };
}

function logFailure(log: Logger, error: unknown, problem: Problem, context: Context, message: string): void {
  const { method, url } = context;
  const level = problem.status === 500 ? 'error' : 'warn';
  log[level]({ err: error, method, url, requestId: context.get('X-Request-Id') }, message);
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UnwritableRecordError) {
    const { file, record } = error;
    const name = `${record.kind} ${record.id} (${record.uuid})`;
    const detail = `${file} cannot be generated: ${name} cannot be written in this format.`;
    return new Problem('unwritable-record', detail, undefined, { ...record });
  }
  const [, name] = PROBLEM_OF.find(([type]) => error instanceof type) ?? [];
  return new Problem(name ?? (isOutage(error) ? 'database-unavailable' : 'internal-error'));
}

/**
 * A problem as a page in the language of the reader; undefined for the API, and for clients that prefer JSON. For an unknown
 * address, the page suggests the nearest known one.
 */
function errorPageOf(
  context: Context,
  { status, problem }: Problem,
  editions: EditionsInUse,
  settings: SiteSettings,
): string | undefined {
  const { path } = context;
  if (/^(?:\/[a-z]{2})?\/api(?:\/|$)/.test(path)) return undefined;
  if (context.accepts('json', 'html') !== 'html') return undefined;
  const [, segment = ''] = path.split('/', 2);
  const language = isLanguage(segment) ? segment : preferredLanguage(context);
  const page = createPageOf(settings, { language, path, served: editions.current() });
  return status === 404
    ? notFoundPage(page, nearestPage(path, language, settings.hasPages))
    : errorPage(page, { name: problem, ...PROBLEMS[problem] });
}

/** The paths of the documentation, which exist for every archive. */
const DOCUMENT_PATHS = [...LANGUAGES.map((language) => `${language}/docs`), 'docs', 'openapi.json'];

/** The paths of the front pages, search and lists. */
const PAGE_PATHS = LANGUAGES.flatMap((language) =>
  ['', 'zoeken/', ...Object.values(PAGE_SEGMENTS).map((segment) => `${segment}/`)].map(
    (path) => `${language}/${path}`,
  ),
);

/** The path of the page nearest to an unknown address: that of a record, or a known one. Undefined if none is near. */
function nearestPage(path: string, language: Language, hasPages: boolean): string | undefined {
  const known = hasPages ? [...PAGE_PATHS, ...DOCUMENT_PATHS] : DOCUMENT_PATHS;
  return (
    (hasPages ? nearestRecord(path, language) : undefined) ?? nearestName(path.slice(1).toLowerCase(), known)
  );
}

const RECORD = new RegExp(`^/(?:([a-z]{2})/)?(?:api/)?([a-z]+)/(${UUID_PATTERN})/?$`, 'i');

function nearestRecord(path: string, language: Language): string | undefined {
  const [, given = '', collection = '', uuid = ''] = RECORD.exec(path) ?? [];
  const name = collection.toLowerCase();
  const nearest = nearestName(name, Object.values<string>(PAGE_SEGMENTS));
  const kind = kindOfCollection(name) ?? KINDS.find((one) => PAGE_SEGMENTS[one] === nearest);
  if (!kind) return undefined;
  const page = recordPath(isLanguage(given) ? given : language, { kind, uuid: uuid.toLowerCase() });
  return `/${page}` === path ? undefined : page;
}
