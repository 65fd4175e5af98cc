import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { createVocabulary } from '../bench/words.ts';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { makeBundle } from '../support/bundles.ts';
import { readTables } from '../support/read-tables.ts';
import { sensibleQuery } from '../support/sensible-query.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const RECORDS = 300;

describe('the index of a new edition', () => {
  let prepared: TestDatabase;
  let bundle: string;
  beforeEach(async () => {
    prepared = await createTestDatabase('sqlite');
    bundle = await makeBundle(prepared.folder, { records: RECORDS, seed: 3 });
    await publishHere(prepared, bundle);
  });
  afterEach(async () => {
    await prepared?.drop();
  });

  /** The index file of the newest edition. */
  const newest = async () => {
    const tables = await readTables(prepared);
    const { key } = tables.get('editions')?.at(-1) ?? {};
    return join(prepared.folder, 'derived', String(tables.get('archive')?.[0]?.['id']), `${key}.sqlite`);
  };
  /** The number of patches since the index of the newest edition was built. */
  const patches = async () => {
    using index = new DatabaseSync(await newest(), { readOnly: true });
    return index.prepare("SELECT hex(bytes) AS bytes FROM array WHERE name = 'patches'").get()?.['bytes'];
  };
  /** Changes the lines of the persons. */
  const edit = async (change: (lines: string[]) => string[]) => {
    const file = join(bundle, 'persons.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, `${change(lines).join('\n')}\n`);
  };
  const rename = (line = '', name: string) =>
    JSON.stringify({ ...JSON.parse(line), last_name: name, summary_nl: `${name} ${name}` });
  const takeDown = (line = '') => JSON.stringify({ ...JSON.parse(line), published: false });
  const answers = async () => {
    const server = await serveDatabase(prepared);
    const random = createRandom(1);
    const vocabulary = createVocabulary(random, RECORDS);
    const found = [];
    for (let query = 0; query < 100; query++) {
      const asked = encodeURIComponent(sensibleQuery(random, vocabulary));
      found.push(await (await server.fetch(`/en/api/search?q=${asked}`)).text());
    }
    await server.stop();
    return found;
  };

  test('is that of the edition before with what changed, and gives the answers of a built one', async () => {
    await edit((lines) => lines.with(20, takeDown(lines[20])).with(-1, rename(lines.at(-1), 'Q7zeppelin')));
    await publishHere(prepared, bundle);
    expect(await patches()).toBe('01000000');
    const patched = await answers();
    await rm(join(prepared.folder, 'derived'), { recursive: true });
    expect((await runApiHere(['index'], settingsFor(prepared))).code).toBe(0);
    // An index that is replaced may be damaged, and so may the one that it was patched from.
    expect(await patches()).toBe('00000000');
    expect(await answers()).toEqual(patched);
  });

  test('is built if this node does not have that of the edition before, or it is damaged', async () => {
    await rm(await newest());
    await edit((lines) => lines.with(0, rename(lines[0], 'Q7zeppelin')));
    await publishHere(prepared, bundle);
    expect(await patches()).toBe('00000000');
    await writeFile(await newest(), 'damaged');
    await edit((lines) => lines.with(1, rename(lines[1], 'Q7zeppelin')));
    await publishHere(prepared, bundle);
    expect(await patches()).toBe('00000000');
  });

  test('has nothing of a record that was taken down, and is built if only one edition is kept', async () => {
    const holds = async () => (await readFile(await newest())).includes('eppelin');
    await edit((lines) =>
      lines.with(0, rename(lines[0], 'Q7zeppelin')).with(5, rename(lines[5], 'Q7zeppelin')),
    );
    await publishHere(prepared, bundle);
    expect([await patches(), await holds()]).toEqual(['01000000', true]);
    await edit((lines) => lines.with(0, takeDown(lines[0])).with(5, rename(lines[5], 'Vos')));
    await publishHere(prepared, bundle);
    expect([await patches(), await holds()]).toEqual(['02000000', false]);
    await edit((lines) => lines.with(5, takeDown(lines[5])));
    await publishHere(prepared, bundle, ['--keep', '1']);
    expect([await patches(), await holds()]).toEqual(['00000000', false]);
  });
});
