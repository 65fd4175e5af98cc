/** How much a gate lets through, and how much it lets wait. */
export interface GateLimits {
  underWay: number;
  /** As much as like, if not given. */
  waiting?: number;
  /** Longest wait; as long as it takes, if not given. */
  milliseconds?: number;
}

/** Too much is waiting, or this waited for too long. */
export class GateClosedError extends Error {
  override name = 'GateClosedError';
}

/** Gives back what `enter` gave; a second call does nothing. */
export type Leave = () => void;

/** Lets so many pieces of work be under way at a time, in the order in which they come, and so many wait. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;
  #empty: PromiseWithResolvers<void> | undefined;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Does `work` when its turn has come. @throws as `enter` does; what `work` throws */
  async pass<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const leave = await this.enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Pieces of work that are under way. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Waits for its turn.
   *
   * @param signal aborted when the turn is not wanted any more
   * @throws GateClosedError when too much is waiting, or this did for too long; the signal's reason
   */
  async enter(signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    if (this.#underWay >= this.#limits.underWay) await this.#wait(signal);
    else this.#underWay += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave();
    };
  }

  /** Resolves when nothing is under way, and nothing waits. */
  async drain(): Promise<void> {
    if (this.#underWay === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { waiting = Number.POSITIVE_INFINITY, milliseconds } = this.#limits;
    if (this.#waiting.size >= waiting) throw new GateClosedError('too much is waiting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (reason: unknown) => {
      this.#waiting.delete(resolve);
      reject(reason);
    };
    const expire = () => refuse(new GateClosedError(`waited for ${milliseconds} ms`));
    const abort = () => refuse(signal?.reason);
    const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds);
    signal?.addEventListener('abort', abort);
    this.#waiting.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Hands the place on to whoever has waited longest, so that nobody slips in between. */
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
