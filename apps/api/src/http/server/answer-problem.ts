import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { COMMON_HEADERS, originHeaders } from '../answer/common-headers.ts';
import type { Problem } from '../problems/problems.ts';
import { problemHeaders } from '../problems/respond-to-errors.ts';

/** Answers with a problem before Koa: in English, for there is no path. */
export function answerProblem(
  response: ServerResponse,
  problem: Problem,
  baseUrl: string,
  requestId: string,
): void {
  const { headers, body } = describe(problem, baseUrl, requestId);
  response.writeHead(problem.status, headers).end(body);
}

/** Answers with a problem on a connection whose request Node did not make one of; the connection ends with it. */
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
