import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { summarise } from '../../bench/statistics.ts';
import { createVocabulary } from '../../bench/words.ts';
import { publishBundle } from '../../support/api-process.ts';
import { BASE_URL, serveDatabase, untilServed } from '../../support/api-server.ts';
import { type Archive, makeArchives } from '../../support/archives.ts';
import { residentMemory } from '../../support/memory.ts';
import { createTestDatabase, ENGINES, type Engine } from '../../support/test-database.ts';
import { startWatch } from '../../support/watch.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 20);
const RECORDS = 2_000;
const PUBLISH_EVERY = 60_000;
const SAMPLE_EVERY = 2_000;

/** The limit of the ratio of the memory in the last quarter to that in the third, by when a server has warmed up. */
const GROWTH = MINUTES >= 15 ? 1.1 : 1.25;

/** Lists, searches, suggestions, counts, maps and dumps. */
function listPaths(): string[] {
  const random = createRandom(1);
  const { word, lastName, place } = createVocabulary(random, RECORDS);
  const some = (count: number, make: () => string) => Array.from({ length: count }, make);
  const q = (query: string) => `q=${encodeURIComponent(query)}`;
  return LANGUAGES.flatMap((language) =>
    [
      ...some(60, () => `${COLLECTIONS[random.pick(KINDS)]}?page=${1 + random.below(20)}`),
      ...some(10, () => `search?page=${1 + random.below(200)}`),
      ...some(15, () => `search?${q(`last_name:${lastName().slice(0, 4)}`)}`),
      ...some(20, () => `search?${q(`${word()} ${word()}`)}`),
      ...some(8, () => `search?${q(`city:${place()} kind:location`)}`),
      ...some(8, () => `suggest?field=last_name&prefix=${lastName().slice(0, 2)}`),
      ...some(3, () => `facets?${q(word())}`),
      ...KINDS.flatMap((kind) => [`dump/${COLLECTIONS[kind]}.jsonl`, `dump/${COLLECTIONS[kind]}.csv`]),
      'locations.geojson',
    ].map((path) => `/${language}/api/${path}`),
  );
}

let archives: readonly Archive[];
beforeAll(async () => {
  archives = await makeArchives(3, BASE_URL, { records: RECORDS, paths: listPaths() });
}, 600_000);

test(`mixed requests for ${MINUTES} minutes, a publish every minute`, {
  timeout: (MINUTES + 5) * 60_000,
}, async () => {
  const soaked = await Promise.all(ENGINES.map(soak));
  for (const { engine, seen, memory, published } of soaked) {
    const last = memory.at(-1) ?? 0;
    process.stdout.write(
      `${engine}: ${seen.answers} answers, ${seen.wrong.length} wrong, ${seen.failed} other requests failed; ` +
        `${published} editions published; ${last.toFixed(0)} MB at the end\n`,
    );
  }
  for (const { engine, seen, memory, published } of soaked) {
    expect(seen.wrong, engine).toEqual([]);
    expect(seen.failed, engine).toBeLessThan(seen.answers / 100);
    expect(published, engine).toBeGreaterThanOrEqual(MINUTES - 1);
    const quarter = (number: number) =>
      summarise(memory.slice((memory.length * (number - 1)) / 4, (memory.length * number) / 4)).median;
    expect(quarter(4) / quarter(3), `${engine}: growth in the last quarter`).toBeLessThan(GROWTH);
  }
});

/** Serves, reads and publishes on one engine until the end of the test. */
async function soak(engine: Engine) {
  const database = await createTestDatabase(engine);
  const publish = async (number: number) => {
    const { stdout } = await publishBundle(database, archives[number % archives.length]?.bundle ?? '');
    return Number(/^Published edition (\d+)/.exec(stdout)?.[1]);
  };
  await publish(0);
  const server = await serveDatabase(database, { LOG_LEVEL: 'info' });
  const over = AbortSignal.timeout(MINUTES * 60_000);
  const watch = startWatch(
    server.origin,
    archives.map(({ served }) => served),
  );
  const memory: number[] = [];
  let published = 0;
  await Promise.all([
    repeat(SAMPLE_EVERY, over, async () => {
      memory.push(residentMemory(server.process.pid));
    }),
    repeat(PUBLISH_EVERY, over, async () => {
      await untilServed(server, await publish(published + 1));
      published += 1;
    }),
  ]);
  const seen = await watch.stop();
  await server.stop();
  return { engine, seen, memory, published };
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
