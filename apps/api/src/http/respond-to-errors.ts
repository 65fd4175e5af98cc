import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { SearchTimeout } from '../search/index.ts';
import { languageOfPath } from './language-of-path.ts';
import { linkHeader } from './link-header.ts';
import { Problem } from './problems.ts';
import { createContentSecurityPolicy } from './security-headers.ts';

/** The content type of a problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** Headers of a success that an error may not have. */
const OF_SUCCESS = ['ETag', 'Last-Modified', 'Content-Encoding', 'Accept-Ranges'];

/** The headers of every error: nothing of it is kept, for the next edition may well have an answer. */
export function problemHeaders(baseUrl: string): Record<string, string> {
  return {
    'Content-Type': PROBLEM_TYPE,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': createContentSecurityPolicy(baseUrl)(PROBLEM_TYPE),
    Link: linkHeader({}, baseUrl),
  };
}

/** Turns every error into `application/problem+json` (RFC 9457). Nothing of the inside is told. */
export function respondToErrors(log: Logger, baseUrl: string): Middleware {
  const headers = problemHeaders(baseUrl);
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error);
      if (problem !== error) {
        const { method, url } = context;
        log.error({ err: error, method, url, requestId: context.get('X-Request-Id') }, 'request failed');
      }
      for (const name of OF_SUCCESS) context.remove(name);
      context.set(headers);
      if (problem.status === 503) context.set('Retry-After', '1');
      context.status = problem.status;
      context.body = JSON.stringify(problem.toBody(languageOfPath(context.path), baseUrl));
    }
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof SearchTimeout) {
    return new Problem('search-timeout', {
      en: 'The search was stopped because it took too long.',
      nl: 'De zoekvraag is gestopt omdat ze te lang duurde.',
    });
  }
  return new Problem('internal-error', {
    en: 'The server could not answer this request. It has been logged.',
    nl: 'De server kon dit verzoek niet beantwoorden. Het is vastgelegd.',
  });
}
