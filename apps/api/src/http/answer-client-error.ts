import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { COMMON_HEADERS, originHeaders } from './common-headers.ts';
import { Problem } from './problems.ts';
import { problemHeaders } from './respond-to-errors.ts';

/**
 * Answers a request that Node could not read, as well as can be: in English, for there is no path. The connection ends
 * with it.
 */
export function answerClientError(baseUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = toProblem(error.code);
    const body = JSON.stringify(problem.toBody('en', baseUrl));
    const headers = {
      ...COMMON_HEADERS,
      ...originHeaders('en', undefined),
      ...problemHeaders(baseUrl),
      'X-Request-Id': randomUUID(),
      'Content-Length': String(Buffer.byteLength(body)),
      Date: new Date().toUTCString(),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers-too-large', {
      en: 'The headers of the request are too large.',
      nl: 'De headers van het verzoek zijn te groot.',
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request-timeout', {
      en: 'The request did not arrive in time.',
      nl: 'Het verzoek kwam niet op tijd aan.',
    });
  }
  return new Problem('bad-request', {
    en: 'The request is not valid HTTP.',
    nl: 'Het verzoek is geen geldige HTTP.',
  });
}
