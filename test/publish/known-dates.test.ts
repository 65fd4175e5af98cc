import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { startApi, type TestArchive } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const uuid = (last: number) => `3f1d2c4b-5a69-4788-9b0c-1d2e3f4051${String(last).padStart(2, '0')}`;
const ANNA = uuid(1);
const OPENING = uuid(2);

/** Dates of which less than a day is known, as people write them. */
const BUNDLE = {
  person: [
    {
      id: 1,
      uuid: ANNA,
      title_nl: 'Anna',
      title_en: 'Anna',
      birth_date: 'c. 1850',
      death_date: '1903-11-02',
    },
  ],
  event: [
    { id: 1, uuid: OPENING, name_nl: 'Opening', name_en: 'Opening', date: '1871-03', persons: [ANNA] },
    { id: 2, uuid: uuid(3), name_nl: 'Bouw', name_en: 'Works', date_start: '187X', date_end: '1880?' },
  ],
};

describe('dates of which less than a day is known', () => {
  let folder: string;
  let archive: TestArchive;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const bundle = await writeBundle(join(folder, 'bundle'), BUNDLE);
    const description = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };
    await writeFile(join(bundle, 'archive.json'), JSON.stringify(description));
    archive = await startApi({ engine: 'sqlite', bundle });
  });

  const get = async (path: string) => (await archive.fetch(path)).text();

  test('are first days in the API, and found by what is known', async () => {
    const { results } = JSON.parse(await get('/en/api/persons'));
    expect(results[0]).toMatchObject({ birth_date: '1850-01-01', death_date: '1903-11-02' });
    expect(JSON.parse(await get('/en/api/events')).results).toMatchObject([
      { date: '1871-03-01', date_start: null },
      { date: null, date_start: '1870-01-01', date_end: '1880-01-01' },
    ]);
    expect(JSON.parse(await get('/en/api/search?q=birth_date:1850'))).toMatchObject({ count: 1 });
  });

  test('are shown as known on pages, in lists and in structured data', async () => {
    const person = await get(`/en/personen/${ANNA}/`);
    expect(person).toContain('<time datetime="1850">c.\u00a01850</time>');
    expect(person).toContain('<time datetime="1903-11-02">2\u00a0November\u00a01903</time>');
    expect(person).toContain(
      '"birthDate":{"@value":"1850","@type":"xsd:gYear"},"deathDate":{"@value":"1903-11-02","@type":"xsd:date"}',
    );
    expect(person).toContain('>March\u00a01871<');
    expect(await get(`/nl/gebeurtenissen/${uuid(3)}/`)).toContain('jaren\u00a01870 – 1880?');
    expect(await get(`/nl/gebeurtenissen/${OPENING}/`)).toContain('>ca.\u00a01850–1903<');
    expect(await get('/en/zoeken/?q=kind%3Aevent')).toContain('Event · March\u00a01871<');
    expect(await get('/en/personen/')).toContain('>c.\u00a01850–1903<');
  });

  test('are exported as known, and published unchanged', async () => {
    const settings = settingsFor(archive.database);
    for (const [out, file] of [
      ['lines', 'persons.jsonl'],
      ['tables', 'persons.csv'],
    ] as const) {
      const path = join(folder, out);
      const format = out === 'tables' ? ['--to', 'tables'] : [];
      expect((await runApiHere(['extract', path, ...format], settings)).code).toBe(0);
      expect(await readFile(join(path, file), 'utf8')).toContain('1850~');
      const { stdout } = await runApiHere(['publish', path], settings);
      expect(stdout).toContain('4 dates without an exact day: the API has the first day');
      expect(stdout).toContain('Unchanged');
    }
  });

  test('a change of what is known is a change of the record', async () => {
    const path = join(folder, 'changed');
    const settings = settingsFor(archive.database);
    expect((await runApiHere(['extract', path], settings)).code).toBe(0);
    const persons = join(path, 'persons.jsonl');
    await writeFile(persons, (await readFile(persons, 'utf8')).replace('1850~', '1850?'));
    expect((await runApiHere(['publish', path], settings)).stdout).toContain('Published edition');
    const changes = async () => JSON.parse(await get('/en/api/changes?since=1'));
    await expect.poll(changes, { timeout: 30_000 }).toMatchObject({
      persons: { added: [], changed: [ANNA], removed: [] },
      events: { changed: [OPENING] },
    });
  });
});

test('without a description of the archive, lines keep what is known in a supplement; with one, tables keep it', async () => {
  const folder = await temporaryFolder();
  const [anna] = BUNDLE.person;
  const bundle = await writeBundle(join(folder, 'bundle'), {
    person: [{ ...anna, birth_date: '1850-01-01' }],
  });
  const supplement = `{"kind":"person","id":1,"uuid":"${ANNA}","dates":{"birth_date":"1850~"}}\n`;
  await writeFile(join(bundle, 'supplement.jsonl'), supplement);
  expect((await runApiHere(['convert', bundle, join(folder, 'lines'), '--to', 'jsonl'])).code).toBe(0);
  expect(await readFile(join(folder, 'lines', 'supplement.jsonl'), 'utf8')).toBe(supplement);
  expect(await readFile(join(folder, 'lines', 'persons.jsonl'), 'utf8')).toContain('"1850-01-01"');

  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title: { nl: 'Proef', en: 'Test' } }));
  expect((await runApiHere(['convert', bundle, join(folder, 'described')])).code).toBe(0);
  expect(await readFile(join(folder, 'described', 'persons.csv'), 'utf8')).toContain('1850~');
  expect(await readFile(join(folder, 'described', 'archive.csv'), 'utf8')).toContain('first-day');
});
