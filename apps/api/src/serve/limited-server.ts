import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { requestId } from '../http/answer/headers.ts';
import { methodNotAllowed } from '../http/problems/common-problems.ts';
import { Problem } from '../http/problems/problems.ts';
import { answerProblem, endWithProblem } from '../http/respond-to-errors.ts';
import { SlowReaders } from './slow-readers.ts';

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
  config: Pick<Config, 'baseUrl' | 'unsentBytes'>,
  readers = new SlowReaders(config),
): Server {
  const { baseUrl } = config;
  const { clientMilliseconds } = readers;
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    // It is missed in our own words: see `readTarget`.
    requireHostHeader: false,
    headersTimeout: clientMilliseconds,
    requestTimeout: clientMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    connectionsCheckingInterval: Math.min(clientMilliseconds / 2, 5_000),
  });
  server.on('clientError', answerClientError(baseUrl));
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) => {
    endWithProblem(socket, methodNotAllowed('CONNECT'), baseUrl, requestId(headers['x-request-id']));
  });
  answerInTurn(server, {
    request: listener,
    checkExpectation: (request, response) => {
      answerProblem(response, unmetExpectation(), baseUrl, requestId(request.headers['x-request-id']));
    },
  });
  readers.watch(server);
  return server;
}

function unmetExpectation(): Problem {
  return new Problem(
    'expectation-failed',
    {
      en: 'Unsupported value of the header Expect.',
      nl: 'De waarde van de header Expect wordt niet ondersteund.',
    },
    { en: '100-continue, or no header Expect', nl: '100-continue, of geen header Expect' },
  );
}

/** What ends the headers of a request. */
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Answers by the listeners given, and reads the next request of a connection only when the answer before it has been
 * taken. Node parses every request of a chunk at once: 64 kB of short ones are thousands of requests and answers in memory
 * for one connection. Here its parser is given one request at a time. The bytes after it stay in the socket, which stops
 * reading when it holds 64 kB. Each further request waits for another turn of the event loop, so that connections take
 * turns.
 */
function answerInTurn(server: Server, listeners: Readonly<Record<string, RequestListener>>): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  for (const [event, listener] of Object.entries(listeners)) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      answers.set(request.socket, response);
      listener(request, response);
    });
  }
  server.on('connection', (socket: Socket) => {
    // Node's own listener, which feeds its parser.
    const [parse] = socket.listeners('data');
    if (!parse) throw new Error('Node has no listener that parses requests');
    socket.removeAllListeners('data');
    let isPaused = false;
    const resume = () => {
      isPaused = false;
      socket.resume();
    };
    socket.on('data', (chunk: Buffer) => {
      let rest = chunk;
      // A socket that is being ended takes no more answers.
      while (rest.length > 0 && socket.writable) {
        const answer = answers.get(socket);
        if (answer && !answer.closed) {
          socket.pause();
          socket.unshift(rest);
          if (!isPaused) answer.once('close', () => setImmediate(resume));
          isPaused = true;
          return;
        }
        const end = rest.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
        // Nearly always the chunk is one request, or a part of one.
        if (end < END_OF_HEADERS.length || end === rest.length) {
          parse.call(socket, rest);
          return;
        }
        const next = rest.subarray(0, end);
        rest = rest.subarray(end);
        parse.call(socket, next);
      }
    });
  });
}

/** Answers a request that Node could not read, as well as can be. The connection ends with it. */
function answerClientError(baseUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endWithProblem(socket, toProblem(error.code), baseUrl, randomUUID());
  };
}

function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers-too-large', {
      en: 'The request headers are too large.',
      nl: 'De headers van het verzoek zijn te groot.',
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request-timeout', {
      en: 'The request was not received in time.',
      nl: 'Het verzoek is niet op tijd ontvangen.',
    });
  }
  if (code === 'HPE_INVALID_URL') {
    return new Problem(
      'bad-request',
      {
        en: 'The URL contains invalid characters.',
        nl: 'De URL bevat ongeldige tekens.',
      },
      {
        en: 'percent-encoded UTF-8, such as caf%C3%A9',
        nl: 'UTF-8 met procentcodering, zoals caf%C3%A9',
      },
    );
  }
  return new Problem('bad-request', {
    en: 'The request is not valid HTTP.',
    nl: 'Het verzoek is geen geldig HTTP.',
  });
}
