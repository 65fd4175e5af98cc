import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journalPath, readJournal } from '@archiefkast/client/node';
import { KINDS } from '@archiefkast/types';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import type { Lifetime } from './temporary-folder.ts';

/** A journal in the format of the previous version, which has uncompressed lines. */
async function toLines(path: string): Promise<void> {
  const lines: Buffer[] = [];
  for await (const placed of readJournal(path)) lines.push(placed.line, ...placed.lines);
  await writeFile(path, Buffer.concat(lines));
}

/** A harvest that stopped because page 3 of the persons failed. */
async function interrupted(context: Lifetime) {
  const { archive, folder, command } = await startScene(
    context,
    {
      etags: true,
      fault({ ctx, kind, page }) {
        if (kind === 'person' && page === 3) ctx.throw(503);
      },
    },
    ['--format', 'jsonl', '--retries', '0'],
  );
  expect((await runHere(command)).code).toBe(4);
  archive.fault = () => {};
  archive.requests.length = 0;
  const pages = () => archive.requests.filter((url) => url.startsWith('/en/api/persons'));
  return { archive, folder, command, pages, journals: join(folder, '.journal') };
}

test('a journal takes at most a third of the bytes of its records', async (context) => {
  const { folder, command } = await startScene(context, { counts: { person: 200 } }, ['--format', 'jsonl']);
  await runHere([...command, 'persons']);
  const { size } = await stat(journalPath(join(folder, '.journal'), 'person'));
  expect(size).toBeLessThan((await stat(join(folder, 'persons.jsonl'))).size / 3);
});

test('a journal in the format of the previous version is continued, and verified by its lines', async (context) => {
  const { command, pages, folder, journals } = await interrupted(context);
  for (const kind of KINDS) await toLines(journalPath(journals, kind));
  const { code, stderr } = await runHere(command);
  expect(code).toBe(0);
  expect(stderr).toContain('persons: resuming after page 2, 20 records.');
  expect(pages()).toEqual([2, 3, 4].map((page) => `/en/api/persons?page=${page}`));
  for (const kind of KINDS) await toLines(journalPath(journals, kind));
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('pages that a journal has are not sent again to an update', async (context) => {
  const { archive, command, folder } = await interrupted(context);
  expect((await runHere(command)).code).toBe(0);
  const statuses: number[] = [];
  archive.onAnswer = (status) => statuses.push(status);
  archive.changed.set('person 7', { first_name: 'Piet' });
  const { code, stderr } = await runHere(['harvest', '--update', folder]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('0 added, 1 changed') });
  expect(statuses.filter((status) => status === 304)).toHaveLength(4 + 2 + 1 + 1 - 1);
  expect(await readFile(join(folder, 'persons.jsonl'), 'utf8')).toContain('Piet');
});

test.each([
  [
    'its end cut off',
    (bytes: Buffer) => bytes.subarray(0, bytes.length - 100),
    /(an entry is|the records of page 2 are) cut off or damaged after byte \d+; the rest is fetched again/,
    '/en/api/persons',
  ],
  [
    'other bytes at its end',
    (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('{"entry":"page","kind":"per')]),
    /an entry is cut off or damaged/,
    '/en/api/persons?page=2',
  ],
])('a journal with %s is continued before that', async (_, change, says, first) => {
  const { command, pages, folder, journals } = await interrupted({ onTestFinished });
  const path = journalPath(journals, 'person');
  await writeFile(path, change(await readFile(path)));
  const { code, stderr } = await runHere(command);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(says) });
  expect(pages()[0]).toBe(first);
  expect((await runHere(['verify', folder])).code).toBe(0);
});
