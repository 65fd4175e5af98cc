import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startArchive } from './archive-server.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CSV_FILES = [
  'persons.csv',
  'subjects.csv',
  'locations.csv',
  'events.csv',
  'footnotes.csv',
  'files.csv',
];

test.each([
  { full: 'locations.csv', whole: [] },
  { full: 'locations.jsonl', whole: CSV_FILES },
])(
  'a full disk while $full is written: the error names it, files of earlier formats are complete',
  async ({ full, whole }) => {
    const archive = await startArchive();
    onTestFinished(() => archive.stop());
    const folder = await temporaryFolder({ onTestFinished });
    const formats = ['--format', 'csv', '--format', 'jsonl'];
    const command = ['harvest', '--base-url', archive.url, '--out', folder, ...formats];
    // Writes to /dev/full fail as on a full disk.
    await symlink('/dev/full', join(folder, `${full}.part`));
    const { code, stderr } = await runHere(command);
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, full)} cannot be written (ENOSPC: no space left on device`);
    expect((await readdir(folder)).toSorted()).toEqual([...whole, 'harvest.sqlite'].toSorted());
    const contents = await Promise.all(whole.map((name) => readFile(join(folder, name))));

    expect((await runHere(command)).code).toBe(0);
    expect(await Promise.all(whole.map((name) => readFile(join(folder, name))))).toEqual(contents);
    expect((await runHere(['verify', folder])).code).toBe(0);
  },
);

test('a full disk while the store is written: the error names it, and the same command resumes', async (context) => {
  const { folder, command } = await startScene(context, { counts: { person: 3000 } });
  const { code, stderr } = await startCli(command, { largestFile: 128 * 1024 }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/harvest\.sqlite cannot be written \(/);
  expect(await readdir(folder)).not.toContain('harvest.json');

  const again = await runHere(command);
  expect(again.stderr).toMatch(/: resuming after page \d+/);
  expect(again.code).toBe(0);
  expect((await runHere(['verify', folder])).code).toBe(0);
});
