import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIP } from 'node:net';
import type { NodeState } from '../edition/follow-editions.ts';

/** What `/metrics` reads: the registry of prom-client. */
interface MetricsSource {
  metrics(): Promise<string>;
  contentType: string;
}

/** Timeout of a request, and of its response, in milliseconds. */
const CLIENT_MILLISECONDS = 10_000;

/** Limit of connections; further ones are closed. Each takes a file descriptor that the archive needs too. */
const MOST_CONNECTIONS = 256;

/**
 * Creates the server of the admin port: `/live` (the process is running), `/ready` (whether it is ready, and for which
 * editions) and `/metrics`. A connection gets one response and is closed at a second request, so that pipelined requests
 * cannot block the process.
 */
export function createAdminServer(state: () => NodeState, metrics: MetricsSource): Server {
  const limits = {
    headersTimeout: CLIENT_MILLISECONDS,
    requestTimeout: CLIENT_MILLISECONDS,
    connectionsCheckingInterval: CLIENT_MILLISECONDS / 4,
  };
  const server = createServer(limits, (request, response) => {
    void answer(state, metrics, request).then(([status, body, type = 'application/json']) => {
      response.writeHead(status, {
        'Content-Type': type,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        Connection: 'close',
        ...(status === 405 && { Allow: 'GET, HEAD' }),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  // `Connection: close` alone does not stop pipelined requests.
  server.maxRequestsPerSocket = 1;
  server.on('dropRequest', (_request, socket) => socket.destroy());
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(CLIENT_MILLISECONDS);
  return server;
}

/** A response of the admin port; JSON by default. */
type AdminAnswer = readonly [status: number, body: string, type?: string];

async function answer(
  state: () => NodeState,
  registry: MetricsSource,
  request: IncomingMessage,
): Promise<AdminAnswer> {
  const { url = '', method = '' } = request;
  if (!['GET', 'HEAD'].includes(method)) return [405, '{"methods":["GET","HEAD"]}'];
  if (isRebound(request)) {
    return [421, '{"expected":"Host: localhost, or the address that ADMIN_PORT listens on"}'];
  }
  switch (url.split('?', 1)[0]) {
    case '/live':
      return [200, '{"live":true}'];
    case '/ready': {
      const current = state();
      return [current.ready ? 200 : 503, JSON.stringify(current)];
    }
    case '/metrics':
      return registry.metrics().then(
        (metrics) => [200, metrics, registry.contentType],
        (error) => [503, `no figures: ${error instanceof Error ? error.message : error}`, 'text/plain'],
      );
    default:
      return [404, '{"paths":["/live","/ready","/metrics"]}'];
  }
}

/**
 * Whether a request to the loopback address has a public host name: a page of another site in a local browser can send
 * such requests by DNS rebinding.
 */
function isRebound({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(socket.localAddress ?? '');
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  const isPublic = name.includes('.') && isIP(name) === 0 && !name.endsWith('.localhost');
  return isLoopback && isPublic;
}
