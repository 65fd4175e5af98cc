import { MediaUnreadableError } from '@archiefkast/bundle/media-file';
import type { SiteSettings } from '@archiefkast/site';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { UnwritableRecordError } from '../edition/dumps.ts';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import { GateClosedError } from '../gate.ts';
import { SearchBusy, SearchTimeout, SearchUnavailable } from '../search/index.ts';
import { isOutage } from '../storage/database-errors.ts';
import {
  createContentSecurityPolicy,
  isFramed,
  languageOfPath,
  linkHeader,
  VARY_BY_LANGUAGE,
} from './headers.ts';
import { Problem, type ProblemName } from './problems.ts';
import { HTML } from './route.ts';
import { ResponseCutOff } from './send.ts';
import { ClientAborted } from './shared-work.ts';
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
  return async (context: Context, error: unknown): Promise<void> => {
    if (error instanceof ClientAborted) return;
    const problem = toProblem(error);
    noteInTrace({ problem });
    // A busy or lost index is logged once by the index, not for every request.
    const isLogged = error instanceof SearchBusy || error instanceof SearchUnavailable;
    if (problem !== error && !isLogged) logFailure(log, error, problem, context, 'request failed');
    // Loaded only for readers: programs get no pages.
    const page = prefersPage(context)
      ? (await import('./error-pages.ts')).errorPageOf(context, problem, editions, settings)
      : undefined;
    const contentType = page === undefined ? PROBLEM_TYPE : HTML;
    for (const name of OF_SUCCESS) context.remove(name);
    context.status = problem.status;
    context.set({
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(contentType, isFramed(context)),
      Link: linkHeader({}, baseUrl),
      ...(problem.status === 503 && { 'Retry-After': '1' }),
    });
    if (page !== undefined) context.set(VARY_BY_LANGUAGE);
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

/** The problem of an error; `internal-error` if it is a fault of the program. */
export function toProblem(error: unknown): Problem {
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

/** Whether the client prefers a page: never of the API. */
function prefersPage(context: Context): boolean {
  return !/^(?:\/[a-z]{2})?\/api(?:\/|$)/.test(context.path) && context.accepts('json', 'html') === 'html';
}
