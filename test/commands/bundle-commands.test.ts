import { mkdir, mkdtemp, readdir, readlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
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
