import { SlowAnswerError } from '../errors/request-errors.ts';

/** Bytes of an answer that have to come in a millisecond of waiting for them: 1 kB in a second. */
const LEAST_BYTES = 1;

/**
 * Watches how fast an answer comes. A server that sends a byte now and then is never silent, and would hold a client for
 * as long as it likes. Time in which the client does not wait for bytes is not counted.
 */
export class Pace {
  readonly #url: string;
  readonly #slowMs: number;
  #bytes = 0;
  #waitedMs = 0;
  #since = performance.now();

  /** @param slowMs how long the answer may come too slowly, in milliseconds */
  constructor(url: string, slowMs: number) {
    this.#url = url;
    this.#slowMs = slowMs;
  }

  /** From now on the next bytes are waited for. */
  wait(): void {
    this.#since = performance.now();
  }

  /** Bytes have come. @throws SlowAnswerError when too few have in the time that was waited for them */
  take(bytes: number): void {
    this.#bytes += bytes;
    this.#waitedMs += performance.now() - this.#since;
    if (this.#waitedMs < this.#slowMs) return;
    if (this.#bytes < this.#waitedMs * LEAST_BYTES) {
      throw new SlowAnswerError(this.#url, this.#bytes, this.#waitedMs);
    }
    this.#bytes = 0;
    this.#waitedMs = 0;
  }
}
