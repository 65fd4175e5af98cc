import { addAbortListener } from 'node:events';

/** The client closed the connection before the response. */
export class ClientAborted extends Error {
  override name = 'ClientAborted';

  constructor() {
    super('the client closed the connection before the response');
  }
}

/** Work that concurrent callers share by key, and that is aborted when all of them have aborted. */
export class SharedWork<Result> {
  readonly #running = new Map<string, { result: Promise<Result>; waiting: number; stop: AbortController }>();

  /** The result of `work`, or of the work that is already running for `key`. */
  async run(
    key: string,
    work: (signal: AbortSignal) => Promise<Result>,
    aborted: AbortSignal,
  ): Promise<Result> {
    if (aborted.aborted) throw new ClientAborted();
    let shared = this.#running.get(key);
    if (!shared) {
      const stop = new AbortController();
      shared = { result: work(stop.signal), waiting: 0, stop };
      this.#running.set(key, shared);
    }
    const joined = shared;
    // Later callers must not join work that is over, or being aborted.
    const forget = () => {
      if (this.#running.get(key) === joined) this.#running.delete(key);
    };
    const leave = () => {
      joined.waiting -= 1;
      if (joined.waiting > 0) return;
      forget();
      joined.stop.abort(new ClientAborted());
    };
    joined.waiting += 1;
    using _listener = addAbortListener(aborted, leave);
    try {
      return await joined.result;
    } finally {
      forget();
    }
  }
}
