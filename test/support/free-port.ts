import { createServer } from 'node:net';

/**
 * Ports below those that systems give to connections (from 32768 on Linux, from 49152 elsewhere): of those, a connection could
 * take one before the server that it is meant for listens.
 */
const FIRST = 14_000;
/** Each worker of the tests has so many ports to itself. */
const BLOCK = 1_000;
const BLOCKS = 18;

const block = FIRST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % BLOCKS) * BLOCK;
let next = Math.floor(Math.random() * BLOCK);

/** A free port of the loopback address; this process gets it once. */
export async function freePort(): Promise<number> {
  return await freePorts(1);
}

/** The first of `count` consecutive free ports of the loopback address. */
export async function freePorts(count: number): Promise<number> {
  for (let tries = 0; tries < BLOCK; tries += 1) {
    if (next + count > BLOCK) next = 0;
    const first = block + next;
    next += count;
    const all = Array.from({ length: count }, (_, index) => isFree(first + index));
    if ((await Promise.all(all)).every(Boolean)) return first;
  }
  throw new Error(`there are no ${count} free ports in a row from ${block} on`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return await promise;
}
