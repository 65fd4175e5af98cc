import { mkdir, mkdtemp, readdir, readlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startProcess } from '../support/api-process.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a bundle of tables that takes seconds to read', () => {
  const ROWS = 100_000;
  let folder: string;
  let tables: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
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
