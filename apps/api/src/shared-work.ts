/** All who waited for an answer have left. */
export class ClientLeft extends Error {
  override name = 'ClientLeft';

  constructor() {
    super('the client left before it was answered');
  }
}

interface Work<Result> {
  result: Promise<Result>;
  waiting: number;
  stop: AbortController;
}

/** Work that is done once for all who want the same at the same time, and stopped when all of them have left. */
export class SharedWork<Result> {
  readonly #underWay = new Map<string, Work<Result>>();

  /**
   * The result of `work`, or of that which is under way for the same `key`.
   *
   * @param left aborted when the one who asks has left, who otherwise waits to the end
   */
  async run(
    key: string,
    work: (signal: AbortSignal) => Promise<Result>,
    left?: AbortSignal,
  ): Promise<Result> {
    if (left?.aborted) throw new ClientLeft();
    const shared = this.#underWay.get(key) ?? this.#begin(key, work);
    shared.waiting += 1;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      // Whoever comes now must not be given what is being stopped.
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
      shared.stop.abort(new ClientLeft());
    };
    left?.addEventListener('abort', leave);
    try {
      return await shared.result;
    } finally {
      left?.removeEventListener('abort', leave);
    }
  }

  /** Whether work is under way for `key`. */
  isUnderWay(key: string): boolean {
    return this.#underWay.has(key);
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Result>): Work<Result> {
    const stop = new AbortController();
    const shared = { result: work(stop.signal), waiting: 0, stop };
    this.#underWay.set(key, shared);
    const forget = () => {
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
    };
    shared.result.then(forget, forget);
    return shared;
  }
}
