import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** While a server stops, connections without a request are closed this often. */
const IDLE_MILLISECONDS = 50;

/**
 * @param setting the setting that names the port
 * @returns the port, which the system chooses where 0 is asked for
 * @throws Error naming the setting when the port is taken
 */
export async function listen(server: Server, setting: string, port: number, host: string): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (isTaken) {
      throw new Error(`${setting}: ${port} on ${host} is in use; expected a free port`, { cause: error });
    }
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Checks that a port is free, before work that would be for nothing. @throws Error as `listen` does */
export async function checkPort(setting: string, port: number, host: string): Promise<void> {
  const server = createServer();
  await listen(server, setting, port, host);
  await stop(server, 0);
}

/** Takes no new requests, and waits for those in flight; cuts what is left when the time is up. */
export async function stop(server: Server, milliseconds: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept connection whose answer ends from now on would wait for a request that is not taken.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MILLISECONDS);
  const impatience = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(idle);
  clearTimeout(impatience);
}
