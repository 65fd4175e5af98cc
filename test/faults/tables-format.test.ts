import { access, appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveUuid } from '@archiefkast/formats';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { SAMPLE } from '../support/sample.ts';
import { startArchive } from './archive-server.ts';
import { runHere } from './run-here.ts';
import { serveBundle } from './serve-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A timeout for tests that publish several times. */
const LONG = { timeout: 120_000 };

test('a harvest exported as tables can be published unchanged', LONG, async (context) => {
  const house = join(await temporaryFolder(context), 'house');
  await cp(SAMPLE, house, { recursive: true });
  const look = { logo: 'house/logo.png', colours: { light: '#00539b', dark: '#9cc7ef' } };
  const sample = JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8'));
  await writeFile(join(house, 'archive.json'), JSON.stringify({ ...sample, ...look }));
  const server = await serveBundle(context, 'sqlite', house);
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
  const [header, row] = (await readFile(join(folder, 'tables', 'archive.csv'), 'utf8')).split('\r\n');
  const { title } = sample;
  expect(header).toMatch(/^\ufeffuuid,title_nl,title_en,description_nl,/);
  expect(row).toContain(`,"${title.nl}","${title.en}"`);
  const [uuid = ''] = /^[0-9a-f-]{36}(?=,)/.exec(row ?? '') ?? [];
  expect(uuid).not.toBe('');

  const about = async ({ fetch }: typeof server) =>
    Promise.all(
      ['nl', 'en'].map(async (language) => {
        const { title, description, publisher, licence, homepage, logo, colours } = await (
          await fetch(`/${language}/api`)
        ).json();
        return { title, description, publisher, licence, homepage, logo, colours };
      }),
    );
  const expected = { logo: `${server.baseUrl}/media/house/logo.png`, colours: look.colours };
  expect(await about(server)).toMatchObject([expected, expected]);
  for (const tables of ['tables', 'tables.xlsx']) {
    const copy = await serveBundle(context, 'sqlite', join(folder, tables));
    expect(await about(copy), tables).toEqual(await about(server));
    const again = await temporaryFolder(context);
    const harvest = ['harvest', '--base-url', copy.baseUrl, '--out', again, '--format', 'jsonl'];
    expect((await runHere(harvest)).code).toBe(0);
    for (const kind of KINDS) {
      const read = (from: string) => readFile(join(from, `${COLLECTIONS[kind]}.jsonl`), 'utf8');
      expect((await read(again)).replaceAll(copy.baseUrl, server.baseUrl), tables).toBe(await read(folder));
    }
  }
});

test(
  'a harvest as tables can be added to: each has a uuid of its own, which it keeps',
  LONG,
  async (context) => {
    const server = await serveBundle(context, 'sqlite', SAMPLE);
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
  },
);

test('an archive without archive.json has no archive table', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', 'tables'];
  expect((await runHere(command)).code).toBe(0);
  await access(join(folder, 'tables', 'files.csv'));
  await expect(access(join(folder, 'tables', 'archive.csv'))).rejects.toThrow('ENOENT');
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('a value that tables cannot contain gets an error message', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  archive.changed.set('person 3', { title_en: 'half \ud800' });
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', 'tables'];
  const { code, stderr } = await runHere(command);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('archive-cli: person 3: title_en: contains an unpaired surrogate'),
  });
});
