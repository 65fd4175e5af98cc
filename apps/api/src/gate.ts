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

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Does `work` when its turn has come. @throws GateClosedError as `enter` does; what `work` throws */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter();
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
   * @throws GateClosedError when too much is waiting, or this did for too long
   */
  async enter(): Promise<Leave> {
    if (this.#underWay >= this.#limits.underWay) await this.#wait();
    else this.#underWay += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave();
    };
  }

  async #wait(): Promise<void> {
    const { waiting = Number.POSITIVE_INFINITY, milliseconds } = this.#limits;
    if (this.#waiting.size >= waiting) throw new GateClosedError('too much is waiting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => reject(new GateClosedError(`waited for ${milliseconds} ms`));
    const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds);
    this.#waiting.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
  }

  /** Hands the place on to whoever has waited longest, so that nobody slips in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#underWay -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
