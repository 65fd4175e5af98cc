import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeState } from '../edition/follow-editions.ts';

/** What a worker tells the process that started it. */
export type FromWorker =
  | { type: 'archive:state'; state: NodeState }
  /** It has made an edition ready, and waits for the others. */
  | { type: 'archive:prepared'; edition: number };

/** What a worker is told: to serve an edition from a moment on (milliseconds since 1970). */
export interface ToWorker {
  type: 'archive:switch';
  edition: number;
  at: number;
}

/** A worker waits no longer than this for the others. */
const PATIENCE_MILLISECONDS = 5_000;

/** Between the word and the switch, so that every worker has heard it. */
const NOTICE_MILLISECONDS = 50;

/** A channel between a worker and the process that started it. */
export interface Channel<Sent, Received> {
  send(message: Sent): void;
  /** @returns what ends the listening */
  listen(onMessage: (message: Received) => void): () => void;
}

/**
 * Waits until all workers are ready to serve an edition, so that they switch at the same moment: requests that go to
 * one worker and another by turns would else see the old edition and the new one by turns.
 */
export async function awaitOtherWorkers(
  channel: Channel<FromWorker, ToWorker>,
  edition: number,
): Promise<void> {
  const { promise: told, resolve } = Promise.withResolvers<ToWorker>();
  const stopListening = channel.listen((message) => {
    if (message.type === 'archive:switch' && message.edition === edition) resolve(message);
  });
  const patience = new AbortController();
  try {
    channel.send({ type: 'archive:prepared', edition });
    const giveUp = sleep(PATIENCE_MILLISECONDS, undefined, { signal: patience.signal, ref: false });
    const word = await Promise.race([told, giveUp.catch(() => undefined)]);
    if (word) await sleep(word.at - Date.now());
  } finally {
    patience.abort();
    stopListening();
  }
}

/** Which workers have made ready what: tells when all that serve have. */
export class Preparations<Worker> {
  readonly #ready = new Map<number, Set<Worker>>();

  /** @returns when to switch, if `worker` is the last of `serving` that was waited for */
  note(edition: number, worker: Worker, serving: readonly Worker[]): number | undefined {
    const ready = this.#ready.get(edition) ?? new Set<Worker>();
    this.#ready.set(edition, ready.add(worker));
    return this.#momentOf(edition, serving);
  }

  /** Forgets a worker that has died. @returns the editions that nobody waits for any more, and when to switch to them */
  drop(worker: Worker, serving: readonly Worker[]): { edition: number; at: number }[] {
    for (const ready of this.#ready.values()) ready.delete(worker);
    return [...this.#ready.keys()].flatMap((edition) => {
      const at = this.#momentOf(edition, serving);
      return at === undefined ? [] : [{ edition, at }];
    });
  }

  #momentOf(edition: number, serving: readonly Worker[]): number | undefined {
    const ready = this.#ready.get(edition);
    if (!ready || ready.size === 0 || !serving.every((worker) => ready.has(worker))) return undefined;
    this.#ready.delete(edition);
    return Date.now() + NOTICE_MILLISECONDS;
  }
}
