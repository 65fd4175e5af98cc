import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from '../config.ts';
import { answerClientError } from './answer-client-error.ts';
import { cutSlowReaders } from './cut-slow-readers.ts';

/** Most bytes of the headers of a request, its first line included. */
const HEADER_BYTES = 49_152;

/** A connection may stay idle longer than proxies keep theirs (60 s for most), so that it is they who close it. */
const KEEP_ALIVE_MILLISECONDS = 75_000;

/**
 * An HTTP server that no client can hold: requests have to arrive, and answers to be taken, within a time, and are
 * refused when they are too large. It listens nowhere yet.
 */
export function createLimitedServer(
  listener: RequestListener,
  { baseUrl, clientMilliseconds }: Pick<Config, 'baseUrl' | 'clientMilliseconds'>,
): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: clientMilliseconds,
      requestTimeout: clientMilliseconds,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      connectionsCheckingInterval: Math.min(clientMilliseconds / 2, 5_000),
    },
    listener,
  );
  server.on('clientError', answerClientError(baseUrl));
  cutSlowReaders(server, clientMilliseconds);
  return server;
}
