import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { UnwritableRecordError } from '../edition/dump-parts.ts';
import { GateClosedError } from '../gate.ts';
import { MediaUnreadableError } from '../media-file.ts';
import { SearchBusy, SearchTimeout, SearchUnavailable } from '../search/index.ts';
import { ClientAborted } from '../shared-work.ts';
import { isOutage } from '../storage/database-errors.ts';
import { COMMON_HEADERS, createContentSecurityPolicy, linkHeader, originHeaders } from './answer/headers.ts';
import { ResponseCutOff } from './answer/send-file.ts';
import { noteInTrace } from './answer/trace.ts';
import { HTML } from './contract/route.ts';
import { Problem } from './problems/problems.ts';
import { languageOfPath } from './request/accept.ts';
import type { ErrorPages } from './resources/pages/error-pages.ts';

/** The content type of a problem (RFC 9457). */
const PROBLEM_TYPE = 'application/problem+json';

/** Headers of a success that an error must not have. */
const OF_SUCCESS = ['ETag', 'Last-Modified', 'Content-Encoding', 'Accept-Ranges'];

/** The headers of every error. Errors are not cached: the same request may succeed in the next edition. */
function problemHeaders(baseUrl: string): Record<string, string> {
  return {
    'Content-Type': PROBLEM_TYPE,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': createContentSecurityPolicy(baseUrl)(PROBLEM_TYPE),
    Link: linkHeader({}, baseUrl),
  };
}

/**
 * Turns every error into `application/problem+json` (RFC 9457), or into a page if the client prefers HTML. Internal
 * details are logged, not sent.
 */
export function respondToErrors(log: Logger, baseUrl: string, errorPages: ErrorPages): Middleware {
  const headers = problemHeaders(baseUrl);
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientAborted) return;
      const problem = toProblem(error);
      noteInTrace({ problem });
      // A busy or lost index is logged once by the index, not for every request.
      const isLogged = error instanceof SearchBusy || error instanceof SearchUnavailable;
      if (problem !== error && !isLogged) logFailure(log, error, problem, context, 'request failed');
      for (const name of OF_SUCCESS) context.remove(name);
      context.set(headers);
      if (problem.status === 503) context.set('Retry-After', '1');
      context.status = problem.status;
      const page = errorPages(context, problem);
      if (page !== undefined) {
        context.set({
          'Content-Type': HTML,
          'Content-Security-Policy': contentSecurityPolicy(HTML),
          Vary: `${context.response.get('Vary')}, Accept-Language`,
        });
        context.body = page;
        return;
      }
      context.body = JSON.stringify(problem.toBody(languageOfPath(context.path), baseUrl));
    }
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
    return new Problem(
      'unwritable-record',
      {
        en: `${file} cannot be generated: ${name} cannot be written in this format.`,
        nl: `${file} kan niet worden gemaakt: ${name} kan niet in dit formaat worden weggeschreven.`,
      },
      undefined,
      { ...record },
    );
  }
  if (error instanceof SearchTimeout) {
    return new Problem('search-timeout', {
      en: 'The search exceeded the time limit.',
      nl: 'De zoekopdracht duurde te lang en is afgebroken.',
    });
  }
  if (error instanceof SearchBusy) {
    return new Problem('search-busy', {
      en: 'Too many searches are running or waiting.',
      nl: 'Er lopen te veel zoekopdrachten tegelijk.',
    });
  }
  if (error instanceof SearchUnavailable) {
    return new Problem('search-unavailable', {
      en: 'The search index of this edition is being built.',
      nl: 'De zoekindex van deze editie wordt opgebouwd.',
    });
  }
  if (error instanceof GateClosedError) {
    return new Problem('overloaded', {
      en: 'The server has reached its limit of concurrent requests.',
      nl: 'De server verwerkt al het maximale aantal verzoeken tegelijk.',
    });
  }
  if (error instanceof MediaUnreadableError) {
    return new Problem('file-unavailable', {
      en: 'The file cannot be read at the moment.',
      nl: 'Het bestand kan op dit moment niet worden gelezen.',
    });
  }
  if (isOutage(error)) {
    return new Problem('database-unavailable', {
      en: 'The database cannot be reached at the moment.',
      nl: 'De database is op dit moment niet bereikbaar.',
    });
  }
  return new Problem('internal-error', {
    en: 'The server failed to handle this request. The error was logged.',
    nl: 'De server kon dit verzoek niet verwerken. De fout is vastgelegd.',
  });
}

/** Sends a problem without Koa, in English: the path, and so its language, is not known. */
export function answerProblem(
  response: ServerResponse,
  problem: Problem,
  baseUrl: string,
  requestId: string,
): void {
  const { headers, body } = describe(problem, baseUrl, requestId);
  response.writeHead(problem.status, headers).end(body);
}

/** Sends a problem on a connection whose request Node could not parse, and closes the connection. */
export function endWithProblem(socket: Duplex, problem: Problem, baseUrl: string, requestId: string): void {
  const { headers, body } = describe(problem, baseUrl, requestId);
  const all = { ...headers, Date: new Date().toUTCString(), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}

function describe(problem: Problem, baseUrl: string, requestId: string) {
  const body = JSON.stringify(problem.toBody('en', baseUrl));
  const headers = {
    ...COMMON_HEADERS,
    ...originHeaders('en', undefined),
    ...problemHeaders(baseUrl),
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { headers, body };
}
