import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { endAtLast } from './leftovers.ts';

/** A proxy of an institution, through which programs reach other hosts. */
export interface ForwardProxy {
  /** Its address, for `HTTP_PROXY`. */
  url: string;
  /** The hosts and ports that it was asked for, and what it was given as authorization. */
  tunnels: { target: string; authorization: string | undefined }[];
  stop(): Promise<void>;
}

/**
 * Starts a proxy that opens tunnels (RFC 9110, section 9.3.6) to one port of this machine, whatever their target is
 * called; it knows names that the machine does not.
 *
 * @param port of the server behind it
 * @param status of its responses; with another than 200 there is no tunnel
 */
export async function startForwardProxy(port: number, status = 200): Promise<ForwardProxy> {
  const tunnels: ForwardProxy['tunnels'] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, client, head) => {
    tunnels.push({ target: url, authorization: headers['proxy-authorization'] });
    client.on('error', () => {});
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  endAtLast(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels, stop };
}
