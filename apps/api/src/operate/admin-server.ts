import { createServer, type Server } from 'node:http';
import type { NodeState } from './node-state.ts';

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

/**
 * A server for those who operate the archive, on a port of its own: `/live` (the process runs), `/ready` (it can
 * answer, and from which editions) and `/metrics`. It listens nowhere yet.
 */
export function createAdminServer(source: AdminSource): Server {
  return createServer((request, response) => {
    void answer(source, request.url ?? '').then(({ status, type, body }) => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
}

async function answer({ state, metrics, metricsType }: AdminSource, url: string): Promise<AdminAnswer> {
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
