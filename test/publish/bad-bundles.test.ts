import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HereResult, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

describe('an invalid bundle is rejected without changes', () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-bad-'));
    database = await createTestDatabase('sqlite');
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const publish = (bundle: string): Promise<HereResult> =>
    runApiHere(['publish', bundle], settingsFor(database));

  /** A bundle with a valid first line in every file, followed by `line`. */
  const bundleWith = async (name: string, kind: Kind, ...lines: (object | string)[]): Promise<string> => {
    const bundle = await writeBundle(
      join(folder, name.replaceAll(/\W/g, '-')),
      Object.fromEntries(KINDS.map((each) => [each, [{ id: 1000, uuid: uuidOf(each, 1000) }]])),
    );
    const first = JSON.stringify({ id: 1000, uuid: uuidOf(kind, 1000) });
    const rest = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    await writeFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), [first, ...rest, ''].join('\n'));
    return bundle;
  };

  test('a fault has the format file:line: field: reason', async () => {
    const { code, stdout, stderr } = await publish(
      await bundleWith('misspelt', 'person', { id: 1, uuid: uuidOf('person', 1), lastname: 'Vries' }),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'persons.jsonl:2: lastname: is not a field of a person; did you mean last_name?\n' +
        'archive-api: the bundle has 1 fault; nothing was changed.\n',
    );
  });

  test('a record with a fault is not missing for those that refer to it', async () => {
    const uuid = uuidOf('subject', 1);
    const lines = [
      { id: 1, uuid, shoe_size: 3 },
      { id: 2, uuid: uuidOf('subject', 2), parent: 1 },
    ];
    const bundle = await bundleWith('referred', 'subject', ...lines);
    await writeFile(
      join(bundle, 'persons.jsonl'),
      `${JSON.stringify({ id: 1, uuid: uuidOf('person', 1), subjects: [uuid] })}\n`,
    );
    expect((await publish(bundle)).stderr).toBe(
      'subjects.jsonl:2: shoe_size: is not a field of a subject\n' +
        'archive-api: the bundle has 1 fault; nothing was changed.\n',
    );
  });

  test('the same fault in many records stands once, with a count', async () => {
    const lines = Array.from({ length: 73 }).map((_, id) => ({ id }));
    const { stderr } = await publish(await bundleWith('many', 'person', ...lines));
    expect(stderr).toBe(
      'persons.jsonl:2: uuid: is missing: every record needs a uuid (also on line 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 62 more)\n' +
        'archive-api: the bundle has 73 faults; nothing was changed.\n',
    );
  });

  test('the first fifty different faults are listed, the rest counted', async () => {
    const lines = Array.from({ length: 73 }).map((_, id) => ({
      id,
      uuid: uuidOf('person', id),
      [`field${String.fromCharCode(97 + (id % 26))}${'x'.repeat(id)}`]: 1,
    }));
    const { stderr } = await publish(await bundleWith('different', 'person', ...lines));
    const told = stderr.split('\n');
    expect(
      told.slice(0, 50).every((line) => /^persons\.jsonl:\d+: field\w+: is not a field/.test(line)),
    ).toBe(true);
    expect(told.slice(50)).toEqual([
      '… and 23 more',
      'archive-api: the bundle has 73 faults; nothing was changed.',
      '',
    ]);
  });

  test('a missing folder, and one without the files', async () => {
    expect((await publish(join(folder, 'nowhere'))).stderr).toContain(
      `${join(folder, 'nowhere')}: does not exist in ${folder}; expected a bundle`,
    );
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const { stderr, code } = await publish(empty);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${empty}: is not a bundle: it has no tables (persons.csv …) and no files of JSON lines (persons.jsonl …)\n` +
        'archive-api: the bundle has 1 fault; nothing was changed.\n',
    );
    await writeFile(join(empty, 'persons.jsonl'), '');
    expect((await publish(empty)).stderr).toContain(
      `subjects.jsonl: is missing in ${empty}; use an empty file for a kind without records\n`,
    );
  });

  test('afterwards, nothing has been published', async () => {
    const { stdout, stderr } = await runApiHere(['editions'], settingsFor(database));
    expect(stdout + stderr).toBe('Nothing has been published yet.\n');
  });
});
