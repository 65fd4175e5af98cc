import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EditionsInUse } from '../../edition/follow-editions.ts';

/** The path for load balancers. */
const PATH = '/health';

/**
 * Responds to `/health`: 200 if the server is ready, else 503, without a body.
 *
 * @returns whether the request was for `/health`
 */
export function answerHealth(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  editions: Pick<EditionsInUse, 'state'>,
): boolean {
  if (url !== PATH || (method !== 'GET' && method !== 'HEAD')) return false;
  response.writeHead(editions.state().ready ? 200 : 503, {
    'Content-Length': 0,
    'Cache-Control': 'no-store',
  });
  response.end();
  return true;
}
