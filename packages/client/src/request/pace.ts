import { SlowAnswerError } from '../errors/request-errors.ts';

/** Minimum rate of a response, in bytes per millisecond: 1 kB per second. */
const LEAST_BYTES = 1;

/**
 * Enforces the minimum rate of a response: a server that sends a byte now and then never times out. Time in which the client
 * does not wait for bytes is not counted.
 */
export class Pace {
  readonly #url: string;
  readonly #slowMs: number;
  #bytes = 0;
  #waitedMs = 0;
  #since = performance.now();

  /** @param slowMs how long the rate may be below the minimum, in milliseconds */
  constructor(url: string, slowMs: number) {
    this.#url = url;
    this.#slowMs = slowMs;
  }

  /** Starts waiting for the next bytes. */
  wait(): void {
    this.#since = performance.now();
  }

  /** Counts received bytes. @throws SlowAnswerError if the rate is too low */
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
