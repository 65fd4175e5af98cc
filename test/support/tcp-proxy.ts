import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay between clients and a server that can fail as networks do. */
export interface TcpProxy {
  port: number;
  /** Number of open connections. */
  connections(): number;
  /** Cuts every connection; still accepts new ones. */
  cut(): void;
  /** Relays nothing from now on but still accepts connections, as a server that hangs does. */
  hang(): void;
  /** Relays again, over new connections. */
  heal(): void;
  stop(): Promise<void>;
}

/** Starts a relay to a server on this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let hanging = false;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!hanging) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size / 2,
    cut,
    hang: () => {
      hanging = true;
    },
    heal() {
      hanging = false;
      cut();
    },
    async stop() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
