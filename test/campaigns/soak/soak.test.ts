import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { summarise } from '../../bench/statistics.ts';
import { publishBundle } from '../../support/api-process.ts';
import { serveDatabase, untilServed } from '../../support/api-server.ts';
import { residentMemory } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, ENGINES, type Engine } from '../../support/test-database.ts';
import { consult, type Oracle } from './oracle.ts';
import { read, type Tally } from './reader.ts';
import { createServedWhen } from './served-when.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 20);
const SEEDS = [1, 2, 3];
const READERS = 4;
const PUBLISH_EVERY = 60_000;
const SAMPLE_EVERY = 2_000;

/** The limit of the ratio of the memory in the last quarter to that in the third, by when a server has warmed up. */
const GROWTH = MINUTES >= 15 ? 1.1 : 1.25;

let folder: string;
let oracle: Oracle;
beforeAll(async () => {
  folder = await temporaryFolder();
  oracle = await consult(folder, SEEDS);
}, 600_000);

test(`mixed requests for ${MINUTES} minutes, a publish every minute`, {
  timeout: (MINUTES + 5) * 60_000,
}, async () => {
  const soaked = await Promise.all(ENGINES.map(soak));
  for (const { engine, tallies, memory, published } of soaked) {
    const sum = (pick: (tally: Tally) => number) => tallies.reduce((all, tally) => all + pick(tally), 0);
    const last = memory.at(-1) ?? 0;
    process.stdout.write(
      `${engine}: ${sum(({ answers }) => answers)} answers, ${sum(({ unchanged }) => unchanged)} of them 304, ` +
        `${sum(({ later }) => later)} of them 503; ${sum(({ wrong }) => wrong.length)} wrong; ` +
        `${published} editions published; ${last.toFixed(0)} MB at the end\n`,
    );
  }
  for (const { engine, tallies, memory, published } of soaked) {
    expect(
      tallies.flatMap(({ wrong }) => wrong),
      engine,
    ).toEqual([]);
    expect(published, engine).toBeGreaterThanOrEqual(MINUTES - 1);
    const quarter = (number: number) =>
      summarise(memory.slice((memory.length * (number - 1)) / 4, (memory.length * number) / 4)).median;
    expect(quarter(4) / quarter(3), `${engine}: growth in the last quarter`).toBeLessThan(GROWTH);
  }
});

/** Serves, reads and publishes on one engine until the end of the test. */
async function soak(engine: Engine) {
  const database = await createTestDatabase(engine);
  const bundle = (archive: number) => oracle.bundles[archive % SEEDS.length] ?? '';
  await publishBundle(database, bundle(0));
  const server = await serveDatabase(database, { LOG_LEVEL: 'info' });
  const served = createServedWhen(0);
  const over = new AbortController();

  const reading = Array.from({ length: READERS }, (_, index) =>
    read(server, oracle, served, { seed: index + 1, signal: over.signal }),
  );
  const memory: number[] = [];
  const sampling = repeat(SAMPLE_EVERY, over.signal, async () => {
    memory.push(residentMemory(server.process.pid));
  });
  let published = 0;
  const publishing = repeat(PUBLISH_EVERY, over.signal, async () => {
    const archive = (published + 1) % SEEDS.length;
    served.begins(archive);
    const { stdout } = await publishBundle(database, bundle(archive));
    const [, edition] = /^Published edition (\d+)/.exec(stdout) ?? [];
    await untilServed(server, Number(edition));
    served.turnedTo(archive);
    published += 1;
  });
  await sleep(MINUTES * 60_000);
  over.abort();
  const tallies = await Promise.all(reading);
  await Promise.all([sampling, publishing]);
  await server.stop();
  return { engine, tallies, memory, published };
}

/** Repeats the work at a fixed interval. */
async function repeat(every: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    await work();
    const rest = Math.max(0, every - (performance.now() - began));
    await sleep(rest, undefined, { signal }).catch(() => {});
  }
}
