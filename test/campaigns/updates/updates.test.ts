import { watch } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDerivedFiles } from '@archiefkast/archive-api/dist/derived/derived-files.js';
import {
  FACETS,
  openSearchIndex,
  parseQuery,
  QueryError,
  type SearchIndex,
} from '@archiefkast/archive-api/dist/search/index.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import {
  findEdition,
  readArchiveId,
  servedEditionId,
} from '@archiefkast/archive-api/dist/storage/edition.js';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../apps/api/testing/random.ts';
import { randomQuery } from '../../../apps/api/testing/random-query.ts';
import { createVocabulary } from '../../bench/words.ts';
import { publishHere, runApiHere } from '../../support/api-here.ts';
import { settingsFor, startProcess } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { sensibleQuery } from '../../support/sensible-query.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

const RECORDS = 5_000;
const PUBLISHES = 30;
const QUERIES = 10_000;
const SENSIBLE = 5_000;
const SEED = 20_261_124;

const random = createRandom(SEED);
let prepared: TestDatabase;
let database: Database;
let bundle: string;

beforeAll(async () => {
  prepared = await createTestDatabase('sqlite');
  database = openDatabase(prepared);
  bundle = await makeBundle(prepared.folder, { records: RECORDS, seed: 1 });
  await publishHere(prepared, bundle);
}, 300_000);
afterAll(async () => {
  await database?.destroy();
  await prepared?.drop();
});

/** Changes, takes down and puts back some records of every kind. */
async function edit(): Promise<void> {
  for (const kind of KINDS) {
    const file = join(bundle, `${COLLECTIONS[kind]}.jsonl`);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    for (let changes = random.below(12); changes > 0; changes--) {
      const at = random.below(lines.length);
      const record = JSON.parse(lines[at] ?? '{}');
      const other = JSON.parse(random.pick(lines));
      const name = kind === 'person' ? 'last_name' : 'name_nl';
      const change = random.pick([
        { published: record.published === false },
        { [name]: other[name], summary_nl: `${other[name]} ${random.below(1_000)}` },
        kind === 'location' ? { latitude: other.latitude, city: other.city } : {},
        kind === 'event' ? { persons: other.persons, date: other.date, date_start: other.date_start } : {},
      ]);
      lines[at] = JSON.stringify({ ...record, ...change });
    }
    await writeFile(file, `${lines.join('\n')}\n`);
  }
}

async function served() {
  const edition = await findEdition(database, (await servedEditionId(database)) ?? 0);
  if (!edition) throw new Error('no edition is served');
  return edition;
}

async function indexFile(folder = 'derived'): Promise<string> {
  return join(prepared.folder, folder, await readArchiveId(database), `${(await served()).key}.sqlite`);
}

/** The number of slots of records that were removed since the index was built. */
async function removed(): Promise<number> {
  using index = new DatabaseSync(await indexFile(), { readOnly: true });
  return Number(index.prepare('SELECT max(slot) - count(*) AS removed FROM record').get()?.['removed']);
}

async function answer(index: SearchIndex, q: string): Promise<unknown> {
  try {
    const query = parseQuery(q);
    return [await index.search(query, 0, 200), await index.facets(query, FACETS, 'nl', 50)];
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** Compares the index of the served edition with one that is built. @returns the number of queries with answers */
async function compare(queries: Iterable<string>): Promise<number> {
  const built = createDerivedFiles(database, { derivedFolder: join(prepared.folder, 'built') });
  await built.rebuild(await served());
  const options = { timeout: 60_000 };
  const [one, other] = [
    await openSearchIndex(await indexFile(), options),
    await openSearchIndex(await indexFile('built'), options),
  ];
  let answered = 0;
  for (const q of queries) {
    const expected = await answer(other, q);
    expect(await answer(one, q), q).toEqual(expected);
    if (expected !== undefined) answered += 1;
  }
  await Promise.all([one.close(), other.close()]);
  await built.forget(await served());
  return answered;
}

function* some(count: number, make: (random: Random) => string): Generator<string> {
  for (let query = 0; query < count; query++) yield make(random);
}

const vocabulary = createVocabulary(createRandom(1), RECORDS);
const sensible = (from: Random) => sensibleQuery(from, vocabulary);

test(`${PUBLISHES} small publishes, some after a rollback, give the answers of a whole one`, {
  timeout: 1_800_000,
}, async () => {
  for (let publish = 1; publish <= PUBLISHES; publish++) {
    await edit();
    if (publish % 7 === 0) expect((await runApiHere(['rollback'], settingsFor(prepared))).code).toBe(0);
    await publishHere(prepared, bundle);
    if (publish > 3) expect(await removed()).toBeGreaterThan(0);
    await compare(some(20, sensible));
  }
  expect(await compare(some(QUERIES, randomQuery))).toBeGreaterThan(QUERIES / 10);
  expect(await compare(some(SENSIBLE, sensible))).toBe(SENSIBLE);
});

test('a publish that is killed while it updates the index leaves the served edition as it was', {
  timeout: 600_000,
}, async () => {
  for (const delay of [0, 0, 5, 20, 50, 100]) {
    const [before, file] = [await served(), await indexFile()];
    const bytes = await readFile(file);
    await edit();
    const watcher = watch(join(file, '..'));
    const begun = new Promise<void>((resolve) => {
      watcher.on('change', (_, name) => String(name).includes('.tmp-') && resolve());
    });
    const publish = startProcess(['publish', bundle, '--force'], settingsFor(prepared));
    await begun;
    watcher.close();
    await sleep(delay);
    publish.kill('SIGKILL');
    await publish.ended;
    if ((await served()).id === before.id) expect(await readFile(file)).toEqual(bytes);
    await publishHere(prepared, bundle);
    expect(await readdir(join(file, '..'))).not.toContainEqual(expect.stringContaining('.tmp-'));
    await compare(some(50, sensible));
  }
});
