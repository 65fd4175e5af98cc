import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EditionsInUse } from '../../edition/follow-editions.ts';

/** Where balancers ask. */
const PATH = '/health';

/**
 * Answers `/health`: 200 when requests can be answered, else 503, and nothing else.
 *
 * @returns whether that was asked
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
