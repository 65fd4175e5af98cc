import { addAbortListener } from 'node:events';

/** Limits of a gate. */
export interface GateLimits {
  /** Concurrent pieces of work. */
  underWay: number;
  /** Queue length. */
  waiting: number;
  /** Timeout of the wait. */
  milliseconds: number;
}

/** The queue is full, or the wait timed out. */
export class GateClosedError extends Error {
  override name = 'GateClosedError';
}

/** Limits concurrent work, and queues the rest in order of arrival. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;
  #empty: PromiseWithResolvers<void> | undefined;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Runs `work` in its turn. @throws the errors of `enter` and of `work` */
  async pass<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    using _slot = await this.enter(signal);
    return await work();
  }

  /** Pieces of work in the queue. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Pieces of work that are running. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Waits for a free slot.
   *
   * @param signal cancels the wait
   * @returns the slot, which disposing of it releases
   * @throws GateClosedError if the queue is full or the wait times out; the reason of the signal
   */
  async enter(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#underWay >= this.#limits.underWay) await this.#wait(signal);
    else this.#underWay += 1;
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** Resolves when no work is running or waiting. */
  async drain(): Promise<void> {
    if (this.#underWay === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { waiting, milliseconds } = this.#limits;
    if (this.#waiting.size >= waiting) throw new GateClosedError('the queue is full');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (reason: unknown) => {
      this.#waiting.delete(resolve);
      reject(reason);
    };
    const expire = () => refuse(new GateClosedError(`waited for ${milliseconds} ms`));
    const abort = () => refuse(signal?.reason);
    using _timer = setTimeout(expire, milliseconds);
    using _listener = signal && addAbortListener(signal, abort);
    this.#waiting.add(resolve);
    await promise;
  }

  /** Passes the slot directly to the first in the queue, so that no newcomer takes it. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#underWay -= 1;
      if (this.#underWay > 0) return;
      this.#empty?.resolve();
      this.#empty = undefined;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
