import { mkdir, mkdtemp, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, describeEngines } from '../support/test-database.ts';

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  bundle = await writeFixture(join(folder, 'fixture'));
});

describeEngines('publishing the served bundle again (%s)', (engine) => {
  test('creates no new edition, and reports that; --force creates one', async () => {
    const database = await createTestDatabase(engine);
    const publish = (...more: string[]) => runApiHere(['publish', bundle, ...more], settingsFor(database));
    expect((await publish()).stdout).toMatch(/^Published edition 1: /);
    const again = await publish();
    expect(again.code).toBe(0);
    expect(again.stdout).toBe(
      'Unchanged: edition 1 has the same content, so nothing was published (use --force to publish anyway).\n',
    );
    expect((await publish('--force')).stdout).toMatch(/^Published edition \d+: /);
  });
});

test('check writes its warnings as JSON, such as too much markup for pages', async () => {
  const uuid = '3f1d2c4b-5a69-4788-9b0c-1d2e3f405161';
  const texts = { content_nl: '<div>'.repeat(101), content_en: '<br>'.repeat(20_001) };
  const doubtful = await writeBundle(join(folder, 'doubtful'), {
    person: [{ id: 1, uuid, title_nl: 'x', title_en: 'x', ...texts }],
  });
  const { code, stdout } = await runApiHere(['check', doubtful, '--json']);
  const at = { code: 'too-much-markup', file: 'persons.jsonl', line: 1 };
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 0,
    ok: true,
    counts: { person: 1, subject: 0, location: 0, event: 0 },
    first_days: 0,
    warning_counts: { 'too-much-markup': 2 },
    missing_in_register: expect.arrayContaining(['description']),
    warnings: [
      { ...at, field: 'content_nl', reason: 'is nested deeper than 100 levels: pages show it as plain text' },
      { ...at, field: 'content_en', reason: 'has more than 20,000 tags: pages show it as plain text' },
    ],
  });
});

test('image_url in a table can be a path below MEDIA_DIR', async () => {
  const tables = join(folder, 'with-a-path');
  await mkdir(tables);
  const uuid = '0b5e8a3c-6d1f-4c7e-9a2b-3f4d5e6a7b8c';
  const row = `1,${uuid},Vos,portraits/Anna Vos.jpg`;
  await writeFile(join(tables, 'persons.csv'), `id,uuid,last_name,image_url\n${row}\n`);
  for (const name of ['subjects', 'locations', 'events']) {
    await writeFile(join(tables, `${name}.csv`), 'id,uuid\n');
  }
  const out = join(folder, 'of-a-path');
  expect(await runApiHere(['convert', tables, out, '--to', 'jsonl'])).toMatchObject({ code: 0 });
  const [line = ''] = (await readFile(join(out, 'persons.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(line)).toMatchObject({
    image: { url: '', path: 'portraits/Anna Vos.jpg', filetype: 'image' },
  });
});

describe('a bundle of tables that takes seconds to read', () => {
  const ROWS = 100_000;
  let tables: string;
  beforeAll(async () => {
    tables = join(folder, 'tables');
    await mkdir(tables);
    const rows = Array.from(
      { length: ROWS },
      (_, row) => `${row + 1},${uuidOf('person', row + 1)},Persoon\n`,
    );
    await writeFile(join(tables, 'persons.csv'), `id,uuid,title_nl\n${rows.join('')}`);
    for (const name of ['subjects', 'locations', 'events'])
      await writeFile(join(tables, `${name}.csv`), 'id\n');
  });

  test.for([
    ['SIGTERM', 143, (out: string) => ['convert', tables, out, '--to', 'jsonl']],
    ['SIGINT', 130, (out: string) => ['convert', tables, `${out}.xlsx`]],
    ['SIGTERM', 143, () => ['check', tables]],
  ] as const)('stops at once on %s, and leaves no files', async ([signal, code, command]) => {
    const own = await mkdtemp(join(folder, 'own-'));
    // Else Node keeps compiled code in the temporary folder too.
    const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache');
    const settings = { TMPDIR: own, NODE_COMPILE_CACHE: compiled };
    const running = startProcess(command(join(own, 'out')), settings);
    const open = `/proc/${running.pid}/fd`;
    const isReading = async () => {
      const files = (await readdir(open)).map((number) => readlink(join(open, number)).catch(() => ''));
      return (await Promise.all(files)).some((file) => file.endsWith('persons.csv'));
    };
    await expect.poll(isReading, { interval: 10, timeout: 60_000 }).toBe(true);
    running.kill(signal);
    expect(await running.ended).toMatchObject({
      code,
      stderr: expect.stringContaining(`stopped by ${signal}`),
    });
    const names = await readdir(own, { recursive: true });
    expect(names.filter((name) => name !== 'out')).toEqual([]);
  });
});
