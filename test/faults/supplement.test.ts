import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openWorkbook } from '@archiefkast/formats';
import { beforeAll, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, ITSELF, startApi } from '../support/api-server.ts';
import {
  DATED_BUNDLE,
  DATED_SUPPLEMENT,
  HIDDEN,
  JOURNEY,
  OPENING,
  SHIPS,
  TRADE,
  writeDatedBundle,
} from '../support/dated-bundle.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../support/spoiled-archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runHere } from './run-here.ts';

/** The archive, at the address of its links. */
let server: ApiServer;
/** A harvest of it as lines, which have no description of the archive, and in other formats. */
let folder: string;
let said: string;
beforeAll(async () => {
  const bundle = await writeDatedBundle(join(await temporaryFolder(), 'bundle'));
  server = await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL: ITSELF } });
  folder = await temporaryFolder();
  const formats = ['--format', 'jsonl,csv,sqlite,xlsx,geojson'];
  const harvest = await runHere(['harvest', '--base-url', server.baseUrl, '--out', folder, ...formats]);
  expect(harvest).toMatchObject({ code: 0 });
  said = harvest.stderr;
});

test('a harvest has what the supplement says, in each format', async () => {
  const supplement = DATED_SUPPLEMENT.map((line) => `${JSON.stringify(line)}\n`).join('');
  expect(await (await server.fetch('/en/api/dump/supplement.jsonl')).text()).toBe(supplement);
  expect(said).toContain('Every byte matches');
  expect(said).not.toContain('supplement');
  expect(await readFile(join(folder, 'supplement.jsonl'), 'utf8')).toBe(supplement);
  const csv = await readFile(join(folder, 'events.csv'), 'utf8');
  expect(csv).toBe(await (await server.fetch('/en/api/dump/events.csv')).text());
  expect(csv).toContain(`Schepen|Handel,${SHIPS}|${TRADE}`);
  using database = new DatabaseSync(join(folder, 'archive.sqlite'));
  const links = database.prepare('SELECT event, subject FROM event_subjects ORDER BY event, place').all();
  expect(links.map(({ event, subject }) => [event, subject])).toEqual([
    [OPENING, TRADE],
    [JOURNEY, SHIPS],
    [JOURNEY, TRADE],
    [HIDDEN, SHIPS],
  ]);
});

test('what is known of dates is beside them in every file, and in the dumps', async () => {
  const known = [
    ['persons.csv', '1850-01-01,1850~,1850,,,1903-11-02,,1903'],
    ['events.csv', '1871-03-01,1871-03,,,,,1871'],
    ['events.csv', ',,1870-01-01,187X,,,1870'],
    [
      'events.geojson',
      '"date":"1871-03-01","date_known":"1871-03","date_start":null,"date_start_known":null',
    ],
    ['events.geojson', '"date":null,"date_known":null,"date_start":"1870-01-01","date_start_known":"187X"'],
  ] as const;
  for (const [file, text] of known) {
    expect(await readFile(join(folder, file), 'utf8')).toContain(text);
    const address = file.endsWith('csv') ? `dump/${file}` : file;
    expect(await (await server.fetch(`/en/api/${address}`)).text()).toContain(text);
  }
  using database = new DatabaseSync(join(folder, 'archive.sqlite'));
  const person = database.prepare('SELECT birth_date, birth_date_known, death_date_known FROM persons').get();
  expect(person).toMatchObject({
    birth_date: '1850-01-01',
    birth_date_known: '1850~',
    death_date_known: null,
  });
  const workbook = await openWorkbook(join(folder, 'archive.xlsx'));
  const rows = workbook.sheets.find(({ name }) => name === 'persons')?.rows() ?? [];
  const cells: unknown[] = [];
  for await (const row of rows) cells.push(...row.cells);
  workbook.close();
  expect(cells).toEqual(expect.arrayContaining(['birth_date_known', '1850~']));
});

/** The same archive, with days for dates, behind a proxy that can spoil answers. */
let spoiled: SpoiledArchive;
beforeAll(async () => {
  spoiled = await startSpoiledArchive(withEvents(DATED_BUNDLE.event));
});

function withEvents(events: readonly object[]) {
  return {
    ...DATED_BUNDLE,
    person: DATED_BUNDLE.person.map((one) => ({ ...one, birth_date: null })),
    event: events.map((one) => ({ ...one, date: null, date_start: null })),
  };
}

test('a supplement with other bytes than the manifest names is refused', async () => {
  const { baseUrl, proxy, folder } = spoiled;
  const out = join(folder, 'refused');
  const harvest = ['harvest', '--base-url', baseUrl, '--out', out];
  for (const [found, other, says] of [
    [`"${SHIPS}","${TRADE}"`, `"${TRADE}","${SHIPS}"`, 'expected the bytes with the SHA-256'],
    ['"kind":"event"', '"kind":"thing"', 'expected a supplement'],
  ] as const) {
    proxy.spoil = ({ url, body }) =>
      url.includes('/dump/supplement.jsonl') ? { body: body.replace(found, other) } : undefined;
    const { code, stderr } = await runHere(harvest);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
  }
  proxy.spoil = () => undefined;
  expect((await runHere(harvest)).code).toBe(0);

  const path = join(out, 'harvest.sqlite');
  await writeFile(path, (await readFile(path, 'latin1')).replace(TRADE, SHIPS), 'latin1');
  expect(await runHere(['verify', out])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('harvest.sqlite: its content has changed'),
  });
});

test('an update takes what has changed, and removes what is not there any more', async () => {
  const { baseUrl, database, server, folder } = spoiled;
  const out = join(folder, 'updated');
  const harvest = ['harvest', '--base-url', baseUrl, '--out', out, '--format', 'jsonl'];
  expect((await runHere(harvest)).code).toBe(0);
  const kept = () => readFile(join(out, 'supplement.jsonl'), 'utf8');
  expect(await kept()).toContain(`"uuid":"${JOURNEY}","subjects":["${SHIPS}","${TRADE}"]`);
  const publish = async (edition: number, change: object) => {
    const events = DATED_BUNDLE.event.map((event) => ({ ...event, ...change }));
    await publishHere(database, await writeBundle(join(folder, 'bundle'), withEvents(events)));
    const now = async () => (await (await server.fetch('/api/editions')).json()).served;
    await expect.poll(now, { timeout: 30_000 }).toBe(edition);
  };

  await publish(2, { subjects: [TRADE] });
  const update = await runHere(['harvest', '--update', out, '--report', 'csv']);
  expect(update).toMatchObject({ code: 0, stderr: expect.stringContaining(' 2 changed, ') });
  expect(update.stdout).toContain(`changed,event,${JOURNEY},Reis,subjects\r\n`);
  expect(await kept()).toContain(`"uuid":"${JOURNEY}","subjects":["${TRADE}"]`);

  await publish(3, { subjects: [] });
  expect((await runHere(['harvest', '--update', out])).code).toBe(0);
  await expect(access(join(out, 'supplement.jsonl'))).rejects.toThrow('ENOENT');
  expect((await runHere(['verify', out])).code).toBe(0);
});
