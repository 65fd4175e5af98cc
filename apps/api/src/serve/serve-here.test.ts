import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimitedServer } from './limited-server.ts';
import { stop } from './serve-here.ts';

const BODY = 'x'.repeat(1_000);

async function start(): Promise<{ server: Server; port: number }> {
  const server = createLimitedServer((_request, response) => void response.end(BODY));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Sends a request on the connection of an agent. @returns whether the connection is kept */
async function request(port: number, agent: Agent): Promise<boolean> {
  const sent = get({ host: '127.0.0.1', port, agent });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  expect(length).toBe(BODY.length);
  return response.headers.connection !== 'close';
}

test('eight clients that send one request after the other are told to close, and none is reset', async () => {
  for (let time = 0; time < 5; time += 1) {
    const { server, port } = await start();
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    // A connection that was not accepted yet would be reset.
    await Promise.all(agents.map((agent) => request(port, agent)));
    const clients = agents.map(async (agent) => {
      while (await request(port, agent)) {}
    });
    await sleep(50);
    await Promise.all([...clients, stop(server, 10_000)]);
    for (const agent of agents) agent.destroy();
  }
});
