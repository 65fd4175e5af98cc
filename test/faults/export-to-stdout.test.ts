import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startArchive } from './archive-server.ts';
import { runHere } from './run-here.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));

/** A harvest, which is read-only. */
let folder: string;
beforeAll(async () => {
  const archive = await startArchive();
  folder = await mkdtemp(join(tmpdir(), 'archive-stdout-'));
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', 'csv,sqlite,xlsx'];
  expect((await runHere(command)).code).toBe(0);
  await archive.stop();
});
afterAll(() => rm(folder, { recursive: true }));

test.for([
  ['archive.sqlite', '--format', 'sqlite'],
  ['archive.xlsx', '--format', 'xlsx'],
  ['footnotes.csv', '--format', 'csv', '--file', 'footnotes.csv'],
] as const)('%s is written to the standard output, byte for byte', async ([name, ...args]) => {
  const proof = await readFile(join(folder, 'harvest.json'), 'utf8');
  const command = [ARCHIVE_CLI, 'export', folder, '--out', '-', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { encoding: 'buffer' });
  expect(stdout.equals(await readFile(join(folder, name)))).toBe(true);
  expect(await readFile(join(folder, 'harvest.json'), 'utf8')).toBe(proof);
});

test.for([
  [['--out', '-'], 'csv has several files; expected --file and one of persons.csv, '],
  [['--out', '-', '--file', 'persons'], 'csv has several files; expected --file and one of persons.csv, '],
  [['--out', '-', '--format', 'csv,xlsx'], '--out -: expected one --format'],
] as const)('export %o is rejected', async ([args, message]) => {
  const { code, stdout, stderr } = await runHere(['export', folder, ...args]);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});
