import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIP } from 'node:net';
import type { NodeState } from '../edition/follow-editions.ts';

/** The data of the admin port. */
export interface AdminSource {
  state(): NodeState;
  /** The metrics in the format of Prometheus. */
  metrics(): Promise<string>;
  /** Content type of `metrics`. */
  metricsType: string;
}

/** A response of the admin port. */
interface AdminAnswer {
  status: number;
  type: string;
  body: string;
}

const JSON_TYPE = 'application/json';

/** Timeout of a request, and of its response, in milliseconds. */
const CLIENT_MILLISECONDS = 10_000;

/** Limit of connections; further ones are closed. Each takes a file descriptor that the archive needs too. */
const MOST_CONNECTIONS = 256;

/**
 * Creates the server of the admin port: `/live` (the process is running), `/ready` (whether it is ready, and for which
 * editions) and `/metrics`. A connection gets one response and is closed at a second request, so that pipelined requests
 * cannot block the process.
 */
export function createAdminServer(source: AdminSource): Server {
  const limits = {
    headersTimeout: CLIENT_MILLISECONDS,
    requestTimeout: CLIENT_MILLISECONDS,
    connectionsCheckingInterval: CLIENT_MILLISECONDS / 4,
  };
  const server = createServer(limits, (request, response) => {
    void answer(source, request).then(({ status, type, body }) => {
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

async function answer(source: AdminSource, request: IncomingMessage): Promise<AdminAnswer> {
  const { url = '', method = '' } = request;
  const { state, metrics, metricsType } = source;
  if (!['GET', 'HEAD'].includes(method)) {
    return { status: 405, type: JSON_TYPE, body: '{"methods":["GET","HEAD"]}' };
  }
  if (isRebound(request)) {
    const body = '{"expected":"Host: localhost, or the address that ADMIN_PORT listens on"}';
    return { status: 421, type: JSON_TYPE, body };
  }
  const [path] = url.split('?', 1);
  if (path === '/live') return { status: 200, type: JSON_TYPE, body: '{"live":true}' };
  if (path === '/ready') {
    const found = state();
    return { status: found.ready ? 200 : 503, type: JSON_TYPE, body: JSON.stringify(found) };
  }
  if (path === '/metrics') {
    try {
      return { status: 200, type: metricsType, body: await metrics() };
    } catch (error) {
      return {
        status: 503,
        type: 'text/plain',
        body: `no figures: ${error instanceof Error ? error.message : error}`,
      };
    }
  }
  return { status: 404, type: JSON_TYPE, body: '{"paths":["/live","/ready","/metrics"]}' };
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
