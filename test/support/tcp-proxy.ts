import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endAtLast } from './leftovers.ts';

/** A relay between clients and a server that can fail as networks do. */
export interface TcpProxy {
  port: number;
  /** Number of connections that were cut because they were idle. */
  cuts(): number;
  /** Cuts every connection; still accepts new ones. */
  cut(): void;
  /** Cuts every connection that is open now at its next request: it was lost, and its client has not noticed. */
  cutAtRequest(): void;
  /** Relays nothing from now on but still accepts connections, as a server that hangs does. */
  hang(): void;
  /** Relays again, over new connections. */
  heal(): void;
  stop(): Promise<void>;
}

/**
 * Starts a relay to a server on this machine.
 *
 * @param idleMilliseconds cuts a connection after this time without a request, as proxies and `wait_timeout` do; never by default
 */
export async function startTcpProxy(
  target: number,
  { port = 0, host = '127.0.0.1', idleMilliseconds = 0 } = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let hanging = false;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let requests = 0;
    let idle: NodeJS.Timeout | undefined;
    client.on('data', () => {
      if (lost.has(client)) client.resetAndDestroy();
      requests += 1;
      clearTimeout(idle);
    });
    upstream.on('data', () => {
      clearTimeout(idle);
      // Not during the handshake.
      if (idleMilliseconds === 0 || requests < 2) return;
      idle = setTimeout(() => {
        cuts += 1;
        client.destroy();
      }, idleMilliseconds);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!hanging && !lost.has(from)) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        clearTimeout(idle);
        to.destroy();
      });
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async () => {
    forget();
    server.close();
    cut();
    await once(server, 'close');
  };
  const forget = endAtLast(stop);
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    cut,
    cutAtRequest() {
      for (const socket of sockets) lost.add(socket);
    },
    hang: () => {
      hanging = true;
    },
    heal() {
      hanging = false;
      cut();
    },
    stop,
  };
}
