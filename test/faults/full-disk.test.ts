import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startArchive } from './archive-server.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a disk that is full while files are written: the error names the file, earlier files are whole', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', 'csv'];
  // Whatever is written to /dev/full fails as on a full disk.
  await symlink('/dev/full', join(folder, 'locations.csv.part'));
  const { code, stderr } = await runHere(command);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `${join(folder, 'locations.csv')} cannot be written (ENOSPC: no space left on device`,
  );
  expect((await readdir(folder)).toSorted()).toEqual(['.journal', 'persons.csv', 'subjects.csv']);
  const persons = await readFile(join(folder, 'persons.csv'));

  expect((await runHere(command)).code).toBe(0);
  expect(await readFile(join(folder, 'persons.csv'))).toEqual(persons);
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('a journal that cannot grow: the error names it, and the same command goes on', async (context) => {
  const archive = await startArchive({ counts: { person: 3000 } });
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder];
  const { code, stderr } = await startCli(command, { largestFile: 32 * 1024 }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/persons\.journal cannot be written \(EFBIG: file too large/);
  expect(await readdir(folder)).toEqual(['.journal']);

  const again = await runHere(command);
  expect(again.stderr).toMatch(/persons: going on after page \d+/);
  expect(again.code).toBe(0);
  expect((await runHere(['verify', folder])).code).toBe(0);
});
