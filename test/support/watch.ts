import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from './snapshot.ts';

/** What readers saw during an action. */
export interface Seen {
  answers: number;
  /** The longest time between two correct responses, in milliseconds. */
  silence: number;
  /** Failed requests. */
  failed: number;
  /** Responses that belong to none of the archives: must be empty. */
  wrong: string[];
  /** Responses of an earlier archive, to requests sent after a later one had been seen. */
  stepsBack: number;
}

/** Reads the pages of an archive again and again, as two clients. */
export interface Watch {
  /** Resolves when a client has read a page of `archive`. */
  sees(archive: Snapshot): Promise<void>;
  stop(): Promise<Seen>;
}

/** The timeout of a request. */
const PATIENCE = 10_000;

/** The pause between pages, and after an error: the action under test needs the machine too. */
const LOOK = 10;
const PAUSE = 50;

/** Starts reading; every response must be of one of the archives, which are in the order of their editions. */
export function startWatch(origin: string, archives: readonly Snapshot[]): Watch {
  const paths = [...(archives[0]?.keys() ?? [])];
  const seen: Seen = { answers: 0, silence: 0, failed: 0, wrong: [], stepsBack: 0 };
  /** The latest archive seen, by index. */
  let latest = 0;
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
      const path = paths[index % paths.length] ?? '';
      const least = latest;
      const body = await ask(path);
      if (body === undefined) {
        seen.failed += 1;
        await sleep(PAUSE);
        continue;
      }
      const of = archives.flatMap((each, index) => (each.get(path) === body ? [index] : []));
      const [first] = of;
      const archive = first === undefined ? undefined : archives[first];
      if (of.length === 1 && first !== undefined) latest = Math.max(latest, first);
      if (archive && !of.some((index) => index >= least)) seen.stepsBack += 1;
      if (!archive) seen.wrong.push(`${path}: ${body.slice(0, 200)}`);
      seen.answers += 1;
      seen.silence = Math.max(seen.silence, performance.now() - last);
      last = performance.now();
      if (archive) waiting.get(archive)?.();
      await sleep(LOOK);
    }
  };
  const reading = Promise.all([0, Math.floor(paths.length / 2)].map(read));
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
