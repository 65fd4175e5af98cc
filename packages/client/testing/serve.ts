import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Responds to a request; `visit` is 1 for the first, 2 for the second … */
export type Answer = (request: IncomingMessage, response: ServerResponse, visit: number) => void;

/** Serves on a free port of the loopback address until the test ends; returns the origin. */
export async function serve(answer: Answer): Promise<string> {
  let visits = 0;
  const server = createServer((request, response) => {
    visits += 1;
    answer(request, response, visits);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}
