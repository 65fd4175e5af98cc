import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a MySQL server that cuts idle connections, as proxies and `wait_timeout` do. */
export interface IdleCutter {
  port: number;
  /** Number of cut connections. */
  cut(): number;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that cuts a connection when it is idle: every request has its response.
 *
 * @param server the address of the MySQL server
 */
export async function startIdleCutter(server: URL, idleMilliseconds: number): Promise<IdleCutter> {
  const address = { port: Number(server.port || 3306), host: server.hostname };
  const open = new Set<Socket>();
  let cuts = 0;
  const proxy = createServer((client) => {
    const upstream = connect(address);
    let timer: NodeJS.Timeout | undefined;
    let asked = 0;
    const end = () => {
      clearTimeout(timer);
      client.destroy();
      upstream.destroy();
    };
    const cut = () => {
      cuts += 1;
      end();
    };
    client.on('data', (data) => {
      clearTimeout(timer);
      asked += 1;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      clearTimeout(timer);
      // Not during the handshake.
      if (asked > 1) timer = setTimeout(cut, idleMilliseconds);
      client.write(data);
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        end();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    cut: () => cuts,
    async stop() {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
