import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the tests that are running have started and made. */
const leftovers = new Set<() => Promise<unknown>>();

/**
 * Registers how to end something after the tests of this file, unless a test has done so before.
 *
 * @returns to be called when it has ended
 */
export function endAtLast(end: () => Promise<unknown>): () => void {
  leftovers.add(end);
  return () => leftovers.delete(end);
}

/** Lets a server listen on a free port of the loopback address; returns the port, and what stops it. */
export async function listen(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    forget();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const forget = endAtLast(stop);
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Ends what is left, the newest first. @throws the first error, when all has ended */
export async function endLeftovers(): Promise<void> {
  const errors: unknown[] = [];
  for (const end of [...leftovers].toReversed()) await end().catch((error: unknown) => errors.push(error));
  leftovers.clear();
  if (errors.length > 0) throw errors[0];
}
