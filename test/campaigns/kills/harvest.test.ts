import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { createRandom, type Random } from '../../../apps/api/testing/random.ts';
import { type ArchiveServer, startArchive } from '../../faults/archive-server.ts';
import { runCli, startCli } from '../../faults/run-cli.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';

const FORMATS = ['csv', 'jsonl'];
const FILES = KINDS.flatMap((kind) => FORMATS.map((format) => `${COLLECTIONS[kind]}.${format}`));
/** Number of requests of an uninterrupted harvest. */
const REQUESTS = 40 + 10 + 5 + 5;
const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

describe('a harvest killed at a random moment', () => {
  let archive: ArchiveServer;
  let whole: Buffer[];
  let reference: string;

  beforeAll(async () => {
    archive = await startArchive({ counts: { person: 396, subject: 99, location: 45, event: 45 } });
    reference = await mkdtemp(join(tmpdir(), 'archive-faults-'));
    const { code } = await runCli(harvestInto(reference));
    expect(code).toBe(0);
    whole = await contents(reference);
  });
  afterAll(async () => {
    await archive.stop();
    await rm(reference, { recursive: true, force: true });
  });

  function harvestInto(folder: string, more: string[] = []): string[] {
    return ['harvest', '--base-url', archive.url, '--out', folder, '--format', FORMATS.join(), ...more];
  }

  test.for(SEEDS)('resumes, and ends with the same bytes (seed %i)', async (seed, context) => {
    const random = createRandom(seed);
    const more = seed % 3 === 0 ? ['--concurrency', '4'] : [];
    const folder = await killedHarvest(context, random, more);
    if (random.below(2) === 1) await killWithin(REQUESTS, folder, random, more);

    const { code, stderr } = await runCli(harvestInto(folder, more));
    expect(stderr).not.toMatch(/starting again/);
    expect(code).toBe(0);
    expect((await runCli(['verify', folder])).code).toBe(0);
    for (const [index, content] of (await contents(folder)).entries()) {
      expect(content.equals(whole[index] ?? Buffer.of()), FILES[index]).toBe(true);
    }
  });

  /** A folder with a killed harvest: if one ends before it is killed, it is repeated with an earlier kill. */
  async function killedHarvest(context: TestContext, random: Random, more: string[]): Promise<string> {
    for (let latest = REQUESTS; ; latest = Math.ceil(latest / 2)) {
      const folder = await temporaryFolder(context);
      if ((await killWithin(latest, folder, random, more)) === 'SIGKILL') return folder;
    }
  }

  /** Kills a harvest at or shortly after one of its first requests. @returns the signal that ended it, if any */
  async function killWithin(latest: number, folder: string, random: Random, more: string[]) {
    const before = archive.requests.length;
    const running = startCli(harvestInto(folder, more));
    await Promise.race([archive.requested(before + 1 + random.below(latest)), running.ended]);
    if (random.below(2) === 1) await sleep(random.below(latest));
    running.kill('SIGKILL');
    return (await running.ended).signal;
  }

  async function contents(folder: string): Promise<Buffer[]> {
    return Promise.all(FILES.map((name) => readFile(join(folder, name))));
  }
});
