import { EventEmitter } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { MOST_FORM_BYTES } from '../http/read-form.ts';

/** Limit of the request headers, including the request line, in bytes. */
const HEADER_BYTES = 49_152;

/** Longer than the keep-alive timeout of most proxies (60 s), so that the proxy closes idle connections. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

/** Timeout for sending a request, and interval for receiving the minimum of a response, in milliseconds. */
const CLIENT_MILLISECONDS = 30_000;

/** Minimum that a client must receive in each interval, in bytes. */
const LEAST_BYTES = 16_384;

/**
 * Creates an HTTP server with limits for clients: timeouts for sending a request and receiving a response, a limit of the
 * request size, and one response at a time per connection.
 */
export function createLimitedServer(
  listener: RequestListener,
  clientMilliseconds = CLIENT_MILLISECONDS,
): Server {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    // So that a repeated Host is a list, which is invalid, and no header is dropped.
    joinDuplicateHeaders: true,
    headersTimeout: clientMilliseconds,
    requestTimeout: clientMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    connectionsCheckingInterval: Math.min(clientMilliseconds / 2, 5_000),
  });
  answerInTurn(server, listener);
  cutSlowReaders(server, clientMilliseconds);
  return server;
}

/**
 * Disconnects clients that receive less than 16 kB of a response per interval: the timeouts of Node do not cover clients that
 * read a byte now and then.
 */
function cutSlowReaders(server: Server, milliseconds: number): void {
  const clients = new Map<Socket, { received: number; isWaiting: boolean }>();
  server.on('connection', (socket: Socket) => {
    clients.set(socket, { received: 0, isWaiting: false });
    socket.once('close', () => clients.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of clients) {
      const received = socket.bytesWritten - socket.writableLength;
      const isWaiting = socket.writableLength > 0;
      if (isWaiting && before.isWaiting && received - before.received < LEAST_BYTES) socket.destroy();
      clients.set(socket, { received, isWaiting });
    }
  }, milliseconds).unref();
  server.once('close', () => clearInterval(timer));
}

const END_OF_HEADERS = '\r\n\r\n';

/** Bytes of a chunked form that are parsed at a time: only its parser knows its end, so a few requests may be parsed with it. */
const CHUNKED_BYTES = 256;

/** Whether a form in chunks is still to come. */
function isChunkedForm({ method, headers, complete }: IncomingMessage): boolean {
  return method === 'POST' && headers['transfer-encoding'] !== undefined && !complete;
}

/**
 * Handles pipelined requests one at a time: the next request of a connection is parsed only after the response before it
 * has been received. Node would parse all requests in a chunk at once: 64 kB of short ones are thousands of requests and
 * responses in memory. The remaining bytes stay in the socket, which stops reading at 64 kB. Each further request waits for
 * the next turn of the event loop, so that connections take turns.
 */
function answerInTurn(server: Server, listener: RequestListener): void {
  /** The request and response of each connection, and how many bytes of a form of known length are still to come. */
  const answers = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse; left: number }>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const length = request.method === 'POST' ? Number(request.headers['content-length'] ?? 0) : 0;
    answers.set(request.socket, { request, response, left: length <= MOST_FORM_BYTES ? length : 0 });
    // Koa, the stream of the body, the log and the limits listen to one response: some more than the ten at which Node warns.
    response.setMaxListeners(2 * EventEmitter.defaultMaxListeners);
    listener(request, response);
  });
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
        if (answer && !answer.response.closed) {
          const expected = isChunkedForm(answer.request) ? CHUNKED_BYTES : answer.left;
          if (expected > 0) {
            const part = rest.subarray(0, expected);
            answer.left -= part.length;
            rest = rest.subarray(part.length);
            parse.call(socket, part);
            continue;
          }
          socket.pause();
          socket.unshift(rest);
          if (!isPaused) answer.response.once('close', () => setImmediate(resume));
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
