import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { publishHere, runApiHere, serveHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { makeBundle } from '../support/bundles.ts';
import { readTables } from '../support/read-tables.ts';
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

  /** The index file of the newest edition, of this node or another. */
  const newest = async (node = 'derived') => {
    const tables = await readTables(prepared);
    const { key } = tables.get('editions')?.at(-1) ?? {};
    return join(prepared.folder, node, String(tables.get('archive')?.[0]?.['id']), `${key}.sqlite`);
  };
  /** The number of records that were removed from the index of the newest edition since it was built. */
  const removed = async (node?: string) => {
    using index = new DatabaseSync(await newest(node), { readOnly: true });
    return index.prepare('SELECT max(slot) - count(*) AS removed FROM record').get()?.['removed'];
  };
  /** Builds the index of the newest edition on a node that lacks it. */
  const index = async (node: string) => {
    const settings = settingsFor(prepared, { DERIVED_DIR: join(prepared.folder, node) });
    expect((await runApiHere(['index'], settings)).code).toBe(0);
  };
  /** Changes the lines of the persons. */
  const edit = async (change: (lines: string[]) => string[]) => {
    const file = join(bundle, 'persons.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, `${change(lines).join('\n')}\n`);
  };
  const rename = (line = '', name: string) =>
    JSON.stringify({ ...JSON.parse(line), last_name: name, summary_nl: `${name} ${name}` });
  /** The uuids of the first records that a query finds. */
  const found = async (q: string) => {
    const server = await serveHere(prepared);
    const page = await (await fetch(`${server.origin}/en/api/search?q=${encodeURIComponent(q)}`)).json();
    await server.stop();
    return page.results.map(({ instance }: { instance: { uuid: string } }) => instance.uuid);
  };
  const takeDown = (line = '') => JSON.stringify({ ...JSON.parse(line), published: false });

  test('is that of the edition before with what changed', async () => {
    const [taken] = await found('kind:person');
    await edit((lines) => lines.with(0, takeDown(lines[0])).with(-1, rename(lines.at(-1), 'Q7zeppelin')));
    await publishHere(prepared, bundle);
    expect(await removed()).toBe(1);
    expect(await found('q7zeppelin summary:q7zeppelin')).toHaveLength(1);
    expect(await found(`uuid:${taken}`)).toEqual([]);
  });

  test('is built if this node does not have that of the edition before, or it is damaged', async () => {
    await rm(await newest());
    await edit((lines) => lines.with(0, takeDown(lines[0])));
    await publishHere(prepared, bundle);
    expect(await removed()).toBe(0);
    await writeFile(await newest(), 'damaged');
    await edit((lines) => lines.with(1, takeDown(lines[1])));
    await publishHere(prepared, bundle);
    expect(await removed()).toBe(0);
  });

  test('is built on a node that has that of an edition whose texts are gone', async () => {
    await index('node');
    await edit((lines) => lines.with(0, takeDown(lines[0])));
    await publishHere(prepared, bundle, ['--keep', '1']);
    expect(await removed()).toBe(1);
    await index('node');
    expect(await removed('node')).toBe(0);
  });
});
