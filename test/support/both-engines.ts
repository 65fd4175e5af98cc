import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateBundle } from '../bench/generate-bundle.ts';
import { startApi } from './api-server.ts';

/** Both engines: tests that use them need a database server. */
export const BOTH = ['sqlite', 'mysql'] as const;

/** The response of a server. */
export interface TimedResponse {
  status: number;
  body: string;
  /** Milliseconds until the whole body was read. */
  took: number;
}

/** Two servers of the same archive, which get the same requests. */
export interface BothServers {
  /** Requests every path from both, `atOnce` paths in parallel; calls `look` with the two responses. */
  ask(paths: readonly string[], look: (path: string, answers: TimedResponse[]) => void): Promise<void>;
  stop(): Promise<void>;
}

/** Generates an archive, and serves it on both engines. */
export async function startBoth({
  records,
  seed,
  atOnce,
}: {
  records: number;
  seed: number;
  atOnce: number;
}): Promise<BothServers> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-both-engines-'));
  await generateBundle({ folder, records, seed });
  const archives = await Promise.all(BOTH.map((engine) => startApi({ engine, bundle: folder })));
  return {
    async ask(paths, look) {
      const queue = paths.values();
      const work = async () => {
        for (const path of queue)
          look(path, await Promise.all(archives.map((archive) => timedFetch(archive, path))));
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    },
    async stop() {
      await Promise.all(archives.map((archive) => archive.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function timedFetch(
  archive: { fetch(path: string): Promise<Response> },
  path: string,
): Promise<TimedResponse> {
  const asked = performance.now();
  const answer = await archive.fetch(path);
  const body = await answer.text();
  return { status: answer.status, body, took: performance.now() - asked };
}
