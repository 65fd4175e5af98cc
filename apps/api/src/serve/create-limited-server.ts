import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { requestId } from '../http/answer/headers.ts';
import { methodNotAllowed } from '../http/problems/common-problems.ts';
import { Problem } from '../http/problems/problems.ts';
import { answerProblem, endWithProblem } from '../http/respond-to-errors.ts';
import { answerClientError } from './answer-client-error.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { type SlowReaderLimits, SlowReaders } from './slow-readers.ts';

/** Most bytes of the headers of a request, its first line included. */
const HEADER_BYTES = 49_152;

/** A connection may stay idle longer than proxies keep theirs (60 s for most), so that it is they who close it. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

/**
 * An HTTP server that no client can hold: requests have to arrive, and answers to be taken, within a time, and are
 * refused when they are too large; each connection has one answer under way. It listens nowhere yet.
 *
 * @param readers cuts the clients that are too slow
 */
export function createLimitedServer(
  listener: RequestListener,
  config: Pick<Config, 'baseUrl'> & SlowReaderLimits,
  readers = new SlowReaders(config),
): Server {
  const { baseUrl, clientMilliseconds } = config;
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES,
      // It is missed in our own words: see `readTarget`.
      requireHostHeader: false,
      headersTimeout: clientMilliseconds,
      requestTimeout: clientMilliseconds,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      connectionsCheckingInterval: Math.min(clientMilliseconds / 2, 5_000),
    },
    listener,
  );
  server.on('clientError', answerClientError(baseUrl));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    answerProblem(response, unmetExpectation(), baseUrl, requestId(request.headers['x-request-id']));
  });
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) => {
    endWithProblem(socket, methodNotAllowed('CONNECT'), baseUrl, requestId(headers['x-request-id']));
  });
  answerInTurn(server);
  readers.watch(server);
  return server;
}

function unmetExpectation(): Problem {
  return new Problem(
    'expectation-failed',
    {
      en: 'The header Expect asks for something that the server does not do.',
      nl: 'De header Expect vraagt iets wat de server niet doet.',
    },
    { en: '100-continue, or no Expect', nl: '100-continue, of geen Expect' },
  );
}
