import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { NewConnections } from './new-connections.ts';

const CLIENTS = 40;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
});

/** A server that does some work for each request when new connections are accepted; says when each happens. */
async function startServer(
  mostMilliseconds?: number,
): Promise<{ happened: string[]; connectOnce: () => Socket }> {
  const happened: string[] = [];
  const connections = new NewConnections(mostMilliseconds);
  const server = createServer(async (_request, response) => {
    await connections.accepted;
    happened.push('work');
    response.end();
  });
  server.on('connection', () => happened.push('connection'));
  connections.watch(server);
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connectOnce = () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket.resume();
  };
  return { happened, connectOnce };
}

test('work waits until all clients that are connecting are accepted', async () => {
  const { happened, connectOnce } = await startServer();
  for (let client = 0; client < CLIENTS; client++) connectOnce();
  await expect.poll(() => happened.length).toBe(2 * CLIENTS);
  expect(happened).toEqual([...Array(CLIENTS).fill('connection'), ...Array(CLIENTS).fill('work')]);
});
