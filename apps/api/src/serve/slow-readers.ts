import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { unsentBytes } from '../http/answer/end-in-pieces.ts';

/** What a client gets to send a request, and to take its share of a waiting answer, in milliseconds. */
const CLIENT_MILLISECONDS = 30_000;

/** Bytes that a client must take of a waiting answer in each spell. */
const LEAST_BYTES = 16_384;

/** How often the bytes that wait for all clients are added up. */
const SUM_MILLISECONDS = 250;

/** How far a client was at some time. */
interface Standing {
  /** Bytes that it had taken when the spell began. */
  taken: number;
  /** Whether bytes were waiting for it then. */
  kept: boolean;
  /** When bytes were first seen waiting for it, in milliseconds, and what it had taken; undefined while none wait. */
  waits: { since: number; taken: number } | undefined;
}

/**
 * Cuts clients that let answers wait: those that take less than 16 kB in a spell of `clientMilliseconds`, and, where more
 * than `unsentBytes` wait for all clients together, the slowest of them. Node's own time limits see neither a client that
 * takes a byte now and then, nor the memory that waits for it.
 */
export class SlowReaders {
  readonly #clients = new Map<Socket, Standing>();
  readonly #unsentBytes: number;
  /** What each client gets to send a request, and to take 16 kB of a waiting answer. */
  readonly clientMilliseconds: number;

  constructor({ unsentBytes }: Pick<Config, 'unsentBytes'>, clientMilliseconds = CLIENT_MILLISECONDS) {
    this.#unsentBytes = unsentBytes;
    this.clientMilliseconds = clientMilliseconds;
  }

  /** Bytes that wait in memory: of answers that clients have not taken, and of requests that have not been read. */
  get unsentBytes(): number {
    return this.#clients.keys().reduce((sum, socket) => sum + waitingBytes(socket), 0);
  }

  /** Looks after the clients of a server until it closes. */
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
   * Cuts the slowest clients until the rest is within the limit. One that has only begun to wait is left alone, for its
   * speed is not known, and so is the fastest: a single answer may be larger than the limit.
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

/** Bytes that a client has taken of all answers so far. */
function takenBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

function waitingBytes(socket: Socket): number {
  return unsentBytes(socket) + socket.readableLength;
}
