import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_PATHS, type Snapshot } from '../../support/snapshot.ts';

/** What readers saw while something happened. */
export interface Seen {
  answers: number;
  /** The longest time from one right answer to the next, in milliseconds. */
  silence: number;
  /** Requests that got an error, or no answer. */
  failed: number;
  /** Answers that are of none of the archives: what must never be. */
  wrong: string[];
}

/** Reads an archive through the balancer, as two readers would. */
export interface Watch {
  /** Resolves when readers have seen `archive`. */
  sees(archive: Snapshot): Promise<void>;
  stop(): Promise<Seen>;
}

/** A reader waits so long for an answer. */
const PATIENCE = 10_000;

/** A reader looks at a page for so long, and waits so long after an error: what is tried needs the machine too. */
const LOOK = 10;
const PAUSE = 50;

/** Starts to read; every answer must be of one of the archives. */
export function startWatch(origin: string, archives: readonly Snapshot[]): Watch {
  const seen: Seen = { answers: 0, silence: 0, failed: 0, wrong: [] };
  const waiting = new Map<Snapshot, () => void>();
  let stopped = false;
  let last = performance.now();

  const ask = async (path: string) => {
    try {
      const response = await fetch(origin + path, { signal: AbortSignal.timeout(PATIENCE) });
      const body = await response.text();
      return response.status === 200 ? body : undefined;
    } catch {
      return undefined;
    }
  };
  const read = async (offset: number) => {
    for (let index = offset; !stopped; index += 1) {
      const path = SAMPLE_PATHS[index % SAMPLE_PATHS.length] ?? '';
      const body = await ask(path);
      if (body === undefined) {
        seen.failed += 1;
        await sleep(PAUSE);
        continue;
      }
      const archive = archives.find((each) => each.get(path) === body);
      if (!archive) seen.wrong.push(`${path}: ${body.slice(0, 200)}`);
      seen.answers += 1;
      seen.silence = Math.max(seen.silence, performance.now() - last);
      last = performance.now();
      if (archive) waiting.get(archive)?.();
      await sleep(LOOK);
    }
  };
  const reading = Promise.all([0, 5].map(read));
  return {
    sees: (archive) => new Promise((resolve) => waiting.set(archive, resolve)),
    async stop() {
      stopped = true;
      await reading;
      seen.silence = Math.max(seen.silence, performance.now() - last);
      return seen;
    },
  };
}
