import { access, appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveUuid } from '@archiefkast/formats';
import { COLLECTIONS } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import type { ApiServer } from '../support/api-server.ts';
import { endAtLast } from '../support/leftovers.ts';
import { SAMPLE } from '../support/sample.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { serveBundle, serveSample } from './serve-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await serveSample({ onTestFinished: endAtLast });
});

test('a harvest is exported as tables', async (context) => {
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', server.baseUrl, '--out', folder, '--format', 'jsonl'];
  expect((await runHere(command)).code).toBe(0);
  const { code, stdout, stderr } = await runHere(['export', folder, '--format', 'tables,tables.xlsx']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names = [...Object.values(COLLECTIONS), 'files', 'archive'].map((name) => `tables/${name}.csv`);
  expect(stdout.trim().split('\n')).toEqual(
    [...names, 'tables.xlsx', 'datapackage.json'].map((name) => join(folder, name)),
  );
  expect((await runHere(['verify', folder])).code).toBe(0);
  const { title } = JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8'));
  const [header, row] = (await readFile(join(folder, 'tables', 'archive.csv'), 'utf8')).split('\r\n');
  expect(header).toMatch(/^\ufeffuuid,title_nl,title_en,description_nl,/);
  expect(row).toMatch(/^[0-9a-f-]{36},/);
  expect(row).toContain(`,"${title.nl}","${title.en}"`);
});

test('a harvest as tables can be added to: each has a uuid of its own, which it keeps', async (context) => {
  const uuidIn = async (folder: string) => {
    const archive = await readFile(join(folder, 'tables', 'archive.csv'), 'utf8');
    return /\n([0-9a-f-]{36}),/.exec(archive)?.[1];
  };
  const harvest = async (folder: string) => {
    const command = ['harvest', '--base-url', server.baseUrl, '--out', folder, '--format', 'tables'];
    expect(await runHere(command)).toMatchObject({ code: 0 });
    return uuidIn(folder);
  };
  const [mine, yours] = [await temporaryFolder(context), await temporaryFolder(context)];
  const uuid = await harvest(mine);
  expect(uuid).toBeDefined();
  expect(await harvest(yours)).not.toBe(uuid);
  expect(await harvest(mine)).toBe(uuid);
  expect((await runHere(['verify', mine])).code).toBe(0);

  const persons = join(mine, 'tables', 'persons.csv');
  const header = (await readFile(persons, 'utf8')).replace('\ufeff', '').split('\r\n', 1)[0] ?? '';
  const added = header.split(',').map((name) => ({ id: '9001', title_nl: 'Nieuw' })[name] ?? '');
  await appendFile(persons, `${added.join(',')}\r\n`);
  const copy = await serveBundle(context, 'sqlite', join(mine, 'tables'));
  const { results } = await (await copy.fetch('/nl/api/search?q=id:9001')).json();
  expect(results).toMatchObject([
    { instance: { uuid: deriveUuid(uuid ?? '', 'person/9001'), title_nl: 'Nieuw' } },
  ]);
});

test('an archive without archive.json has no archive table', async (context) => {
  const { folder, command } = await startScene(context, {}, ['--format', 'tables']);
  expect((await runHere(command)).code).toBe(0);
  await access(join(folder, 'tables', 'files.csv'));
  await expect(access(join(folder, 'tables', 'archive.csv'))).rejects.toThrow('ENOENT');
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('a value that tables cannot contain gets an error message', async (context) => {
  const { archive, command } = await startScene(context, {}, ['--format', 'tables']);
  archive.changed.set('person 3', { title_en: 'half \ud800' });
  const { code, stderr } = await runHere(command);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('archive-cli: person 3: title_en: contains an unpaired surrogate'),
  });
});
