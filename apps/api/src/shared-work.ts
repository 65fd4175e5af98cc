/** The client closed the connection before the response. */
export class ClientAborted extends Error {
  override name = 'ClientAborted';

  constructor() {
    super('the client closed the connection before the response');
  }
}

interface Work<Result> {
  result: Promise<Result>;
  waiting: number;
  stop: AbortController;
}

/** Work that concurrent callers share by key, and that is aborted when all of them have aborted. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Work<Result>>();

  /**
   * The result of `work`, or of the work that is already running for `key`.
   *
   * @param aborted signal of the caller; without it, the caller waits to the end
   */
  async run(
    key: string,
    work: (signal: AbortSignal) => Promise<Result>,
    aborted?: AbortSignal,
  ): Promise<Result> {
    if (aborted?.aborted) throw new ClientAborted();
    const shared = this.#running.get(key) ?? this.#begin(key, work);
    shared.waiting += 1;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      // Later callers must not join work that is being aborted.
      if (this.#running.get(key) === shared) this.#running.delete(key);
      shared.stop.abort(new ClientAborted());
    };
    aborted?.addEventListener('abort', leave);
    try {
      return await shared.result;
    } finally {
      aborted?.removeEventListener('abort', leave);
    }
  }

  /** Whether work is running for `key`. */
  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Result>): Work<Result> {
    const stop = new AbortController();
    const shared = { result: work(stop.signal), waiting: 0, stop };
    this.#running.set(key, shared);
    const forget = () => {
      if (this.#running.get(key) === shared) this.#running.delete(key);
    };
    shared.result.then(forget, forget);
    return shared;
  }
}
