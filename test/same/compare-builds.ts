import { join } from 'node:path';
import type { Ended } from '../support/api-process.ts';
import type { Engine } from '../support/create-database.ts';
import { SAMPLE_MEDIA } from '../support/sample.ts';
import { alignEditions, type Build, createBuild, type Server, serve } from './archive.ts';
import { both, mapPair, type Pair } from './ask.ts';
import { type AnswerComparison, compareAnswers } from './compare-answers.ts';
import { Tags } from './normalise.ts';
import { compareHarvests, compareOffline, createRunBoth } from './programs.ts';

/** How two builds are compared. */
export interface Comparison extends AnswerComparison {
  engine: Engine;
  mysql: string | null;
  /** The folder with the bundles of the editions. */
  folder: string;
}

/** Settings that differ between the engines, so that both values are compared. */
const SETTINGS = {
  sqlite: { BASE_URL: 'http://archive.test', MEDIA_DIR: SAMPLE_MEDIA },
  mysql: { BASE_URL: 'https://archive.test/base', MAP_TILES: 'https://tile.test/{z}/{x}/{y}.png|© Test' },
};

/** Publishes with two builds, each into its own database, and compares all that comes out. */
export async function compareBuilds(checkouts: Pair<string>, comparison: Comparison): Promise<void> {
  const { engine, mysql, isPartial, folder, report } = comparison;
  const builds = await both((checkout) => createBuild(checkout, engine, mysql, SETTINGS[engine]), checkouts);
  const hasPrograms = engine === 'sqlite' && !isPartial;
  const answers = { baseUrl: SETTINGS[engine].BASE_URL, tags: new Tags() };
  const run = createRunBoth(builds, folder, engine, report);
  const publish = async (args: string) => {
    const ended = await run(`archive-api publish ${args}`);
    for (const { code, stderr } of ended) if (code !== 0) throw new Error(`publish ${args}: ${stderr}`);
    return ended;
  };
  await publish('#/edition-1');
  await alignEditions(builds, undefined);
  await withServers(builds, async (servers) => {
    // Its index is built; that of the third edition is updated. The files are alike on both engines. A tenth of the
    // records suffices: the third edition shows them again.
    const fewer = { ...comparison, each: comparison.each * 10 };
    const phase = `${engine}, first edition`;
    if (engine === 'sqlite') await compareAnswers(servers, fewer, { ...answers, phase, editions: [] });
    if (hasPrograms) await compareHarvests('harvests', servers, run);
  });
  await publish('#/edition-2');
  await publish('#/edition-2');
  await publish('#/edition-3');
  const held = await publish('#/edition-1 --hold --keep 3');
  const keys = mapPair(held, keyIn);
  await alignEditions(builds, keys);
  await withServers(builds, async (servers) => {
    const editions = ['1', '2', '3', '4', '99', 'x', keys[0], keys[0].toUpperCase()];
    await compareAnswers(servers, comparison, { ...answers, phase: `${engine}, third edition`, editions });
    if (hasPrograms) await compareHarvests('updates', servers, run);
  });
  if (hasPrograms) await compareOffline(join(builds[0].database.folder, 'tables'), folder, run);
}

/** The key of the held edition that `publish --hold` names. */
function keyIn({ stdout }: Ended): string {
  const [key] = /(?<=edition=|preview\/)[\da-f-]{36}/.exec(stdout) ?? [];
  if (key === undefined) throw new Error(`publish --hold named no edition: ${stdout}`);
  return key;
}

async function withServers(
  builds: Pair<Build>,
  work: (servers: Pair<Server>) => Promise<void>,
): Promise<void> {
  const servers = await both(serve, builds);
  try {
    await work(servers);
  } finally {
    await both(({ stop }) => stop(), servers);
  }
}
