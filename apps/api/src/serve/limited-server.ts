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

/** Limit of the request headers, including the request line, in bytes. */
const HEADER_BYTES = 49_152;

/** Longer than the keep-alive timeout of most proxies (60 s), so that the proxy closes idle connections. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

/**
 * Creates an HTTP server with limits for clients: timeouts for sending a request and receiving a response, a limit of the
 * request size, and one response at a time per connection.
 *
 * @param readers disconnects slow clients
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
    // `readTarget` sends a problem instead.
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

const END_OF_HEADERS = '\r\n\r\n';

/**
 * Handles pipelined requests one at a time: the next request of a connection is parsed only after the response before it
 * has been received. Node would parse all requests in a chunk at once: 64 kB of short ones are thousands of requests and
 * responses in memory. The remaining bytes stay in the socket, which stops reading at 64 kB. Each further request waits for
 * the next turn of the event loop, so that connections take turns.
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
    // The listener of Node that feeds its parser.
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
      // A socket that is being closed gets no more responses.
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
        // Usually, the chunk is one request or a part of it.
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

/** Responds to a request that Node could not parse, if possible, and closes the connection. */
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
