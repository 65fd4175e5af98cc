import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIP } from 'node:net';
import type { NodeState } from '../edition/follow-editions.ts';

/** What the admin port tells. */
export interface AdminSource {
  state(): NodeState;
  /** The figures in the form of Prometheus. */
  metrics(): Promise<string>;
  /** Of `metrics`. */
  metricsType: string;
}

/** What is sent for a path of the admin port. */
interface AdminAnswer {
  status: number;
  type: string;
  body: string;
}

const JSON_TYPE = 'application/json';

/** Time for a request to arrive, and for its answer to be taken, in milliseconds. */
const CLIENT_MILLISECONDS = 10_000;

/** Connections at a time; more are closed. Each takes a file handle that readers of the archive need too. */
const MOST_CONNECTIONS = 256;

/**
 * A server for those who operate the archive, on a port of its own: `/live` (the process runs), `/ready` (it can
 * answer, and from which editions) and `/metrics`. It listens nowhere yet. Each connection gets one answer, so that
 * none can hold the process with requests sent ahead: who sends a second one is cut.
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
  // `Connection: close` alone would let what came with the first request be answered too.
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
 * Whether a request came to this machine alone, and by a name of the public DNS: so does a page of another site in a
 * browser here, whose name was made to lead to the loopback address (DNS rebinding).
 */
function isRebound({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(socket.localAddress ?? '');
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  const isPublic = name.includes('.') && isIP(name) === 0 && !name.endsWith('.localhost');
  return isLoopback && isPublic;
}
