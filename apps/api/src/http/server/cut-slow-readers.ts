import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that a client must take of a waiting answer in each spell. */
const LEAST_BYTES = 16_384;

/** How far a client was when last looked at. */
interface Standing {
  taken: number;
  /** Whether bytes were waiting for it. */
  kept: boolean;
}

/**
 * Cuts clients that let an answer wait: those that take less than 16 kB of it in a spell. Node's own time limits see
 * neither a client that takes a byte now and then, nor the memory that waits for it.
 *
 * @param milliseconds length of a spell
 */
export function cutSlowReaders(server: Server, milliseconds: number): void {
  const clients = new Map<Socket, Standing>();
  server.on('connection', (socket: Socket) => {
    clients.set(socket, { taken: 0, kept: false });
    socket.once('close', () => clients.delete(socket));
  });
  const look = () => {
    for (const [socket, before] of clients) {
      const taken = socket.bytesWritten - socket.writableLength;
      const kept = socket.writableLength > 0;
      if (kept && before.kept && taken - before.taken < LEAST_BYTES) socket.destroy();
      else clients.set(socket, { taken, kept });
    }
  };
  const timer = setInterval(look, milliseconds).unref();
  server.once('close', () => clearInterval(timer));
}
