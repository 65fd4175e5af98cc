import type { ApiServer } from './api-server.ts';
import { SAMPLE_PATHS, type Snapshot } from './snapshot.ts';

/** Reads the sample pages of a server repeatedly, and compares them with the archives that it may serve. */
export interface Reader {
  /** Number of responses read. */
  answers(): number;
  /** Reads until a response belongs to `archive`. @throws Error naming the first response that belongs to no archive */
  sees(archive: Snapshot): Promise<void>;
  /** Stops reading. @throws Error naming the first response that failed or belongs to no archive */
  stop(): Promise<void>;
}

/** Starts reading from a server, two requests at a time. */
export function startReader(api: ApiServer, archives: readonly Snapshot[]): Reader {
  let stopped = false;
  let answers = 0;
  const waiting = new Map<Snapshot, () => void>();

  const read = async (offset: number) => {
    for (let index = offset; !stopped; index += 1) {
      const path = SAMPLE_PATHS[index % SAMPLE_PATHS.length] ?? '';
      const response = await api.fetch(path);
      const body = await response.text();
      const archive = archives.find((each) => each.get(path) === body);
      if (!archive) throw new Error(`${path}: ${response.status}, of no archive: ${body.slice(0, 300)}`);
      answers += 1;
      waiting.get(archive)?.();
    }
  };
  const reading = Promise.all([0, 7].map(read));
  reading.catch(() => {});
  return {
    answers: () => answers,
    async sees(archive) {
      await Promise.race([new Promise<void>((resolve) => waiting.set(archive, resolve)), reading]);
    },
    async stop() {
      stopped = true;
      await reading;
    },
  };
}
