import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { unsentBytes } from '../http/answer/end-in-pieces.ts';

/** Timeout for sending a request, and interval for receiving the minimum of a response, in milliseconds. */
const CLIENT_MILLISECONDS = 30_000;

/** Minimum that a client must receive in each interval, in bytes. */
const LEAST_BYTES = 16_384;

/** Interval of the check of the total of unsent bytes. */
const SUM_MILLISECONDS = 250;

/** The progress of a client. */
interface Standing {
  /** Bytes received at the start of the interval. */
  taken: number;
  /** Whether there were unsent bytes at that time. */
  kept: boolean;
  /** Since when there are unsent bytes, in milliseconds, and the bytes received by then; undefined if there are none. */
  waits: { since: number; taken: number } | undefined;
}

/**
 * Disconnects slow clients: those that receive less than 16 kB per interval of `clientMilliseconds`, and, while the total of
 * unsent bytes exceeds `unsentBytes`, the slowest. The timeouts of Node do not cover clients that read a byte now and then,
 * nor the memory of unsent responses.
 */
export class SlowReaders {
  readonly #clients = new Map<Socket, Standing>();
  readonly #unsentBytes: number;
  /** Timeout for sending a request, and for receiving 16 kB of a response. */
  readonly clientMilliseconds: number;

  constructor({ unsentBytes }: Pick<Config, 'unsentBytes'>, clientMilliseconds = CLIENT_MILLISECONDS) {
    this.#unsentBytes = unsentBytes;
    this.clientMilliseconds = clientMilliseconds;
  }

  /** Unsent bytes of responses and unread bytes of requests, of all clients. */
  get unsentBytes(): number {
    return this.#clients.keys().reduce((sum, socket) => sum + waitingBytes(socket), 0);
  }

  /** Watches the clients of a server until it closes. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#clients.set(socket, { taken: 0, kept: false, waits: undefined });
      socket.once('close', () => this.#clients.delete(socket));
    });
    const timers = [
      setInterval(() => this.#cutStalled(), this.clientMilliseconds).unref(),
      setInterval(() => this.#cutSlowest(), SUM_MILLISECONDS).unref(),
    ];
    server.once('close', () => timers.forEach(clearInterval));
  }

  #cutStalled(): void {
    for (const [socket, standing] of this.#clients) {
      const taken = takenBytes(socket);
      const kept = unsentBytes(socket) > 0;
      if (kept && standing.kept && taken - standing.taken < LEAST_BYTES) socket.destroy();
      Object.assign(standing, { taken, kept });
    }
  }

  /**
   * Disconnects the slowest clients until the total is within the limit. New ones are skipped, because their speed is
   * unknown, and so is the fastest, because a single response may exceed the limit.
   */
  #cutSlowest(): void {
    const now = performance.now();
    let sum = 0;
    const waiting: { socket: Socket; bytes: number; speed: number }[] = [];
    for (const [socket, standing] of this.#clients) {
      const bytes = waitingBytes(socket);
      const taken = takenBytes(socket);
      const { waits } = standing;
      const speed = waits ? (taken - waits.taken) / (now - waits.since) : Number.POSITIVE_INFINITY;
      standing.waits = bytes > 0 ? (waits ?? { since: now, taken }) : undefined;
      if (bytes > 0) waiting.push({ socket, bytes, speed });
      sum += bytes;
    }
    if (sum <= this.#unsentBytes) return;
    for (const { socket, bytes, speed } of waiting.toSorted((a, b) => a.speed - b.speed).slice(0, -1)) {
      if (sum <= this.#unsentBytes || speed === Number.POSITIVE_INFINITY) return;
      socket.destroy();
      sum -= bytes;
    }
  }
}

/** Bytes that a client has received so far. */
function takenBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

function waitingBytes(socket: Socket): number {
  return unsentBytes(socket) + socket.readableLength;
}
