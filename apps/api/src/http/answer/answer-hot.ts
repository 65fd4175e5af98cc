import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Trace } from '../../operate/trace.ts';
import { endInPieces } from '../server/end-in-pieces.ts';
import type { BodyCache } from './body-cache.ts';
import { isNotModified } from './conditions.ts';
import type { Coding } from './content-coding.ts';

/**
 * Answers from memory what is there, before Koa: its routing and middleware would cost more than the answer. What this
 * leaves alone (other methods, parts, strict handling, and whatever is not in memory) Koa answers, with the same
 * headers.
 *
 * @returns whether the request was answered
 */
export function createHotAnswer(cache: BodyCache, chooseCoding: (header: string | undefined) => Coding) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    trace: Trace | undefined,
  ): boolean => {
    const { method, headers, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (headers.range !== undefined || headers['prefer'] !== undefined) return false;
    const coding = chooseCoding(headers['accept-encoding']?.toString());
    const found = cache.getByTarget(url, coding);
    if (!found) return false;
    const status = isNotModified(headers, found) ? 304 : 200;
    if (trace) {
      Object.assign(trace, cache.describeTarget(url), { cache: status === 304 ? 'not-modified' : 'hit' });
    }
    response.writeHead(status, [...found.rawHeaders[status], 'X-Request-Id', requestId]);
    if (status === 200 && method === 'GET') endInPieces(response, found.body);
    else response.end();
    return true;
  };
}
