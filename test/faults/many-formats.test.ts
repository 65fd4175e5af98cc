import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openWorkbook } from '@archiefkast/formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidOf } from '../../packages/client/testing/records.ts';
import { packageFaults } from '../support/data-package-schema.ts';
import { endAtLast } from '../support/leftovers.ts';
import { type ArchiveServer, startArchive } from './archive-server.ts';
import { FAULTS } from './faults.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { serveSample } from './serve-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ALL = 'csv,jsonl,geojson,sqlite,xlsx';

let archive: ArchiveServer;
/** A harvest in every format, with what it said. */
let folder: string;
let command: string[];
let said: string;
beforeAll(async () => {
  const lifetime = { onTestFinished: endAtLast };
  archive = await startArchive();
  folder = await temporaryFolder(lifetime);
  archive.changed.set('person 1', { content: `<p>${'é'.repeat(40_000)}</p>`, birth_date: '1629-05-01' });
  archive.changed.set('event 2', { date: '1629-05-01', location: null });
  command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', ALL];
  const { code, stderr } = await runHere(command);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  said = stderr;
});
afterAll(() => archive?.stop());

test('archive.sqlite has tables, links, indexes and full-text search', async (context) => {
  const database = new DatabaseSync(join(folder, 'archive.sqlite'), { readOnly: true });
  context.onTestFinished(() => database.close());
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  expect(all('PRAGMA integrity_check')).toEqual([['ok']]);
  expect(all('SELECT count(*) FROM persons')).toEqual([[35]]);
  expect(
    all(
      "SELECT birth_year, typeof(birth_year), death_date FROM persons WHERE birth_date < '1630' AND id = 1",
    ),
  ).toEqual([[1629, 'integer', null]]);
  const joined = `SELECT e.name AS event, l.name AS location, p.title, s.name AS subject FROM events e JOIN locations l ON l.uuid = e.location
    JOIN event_persons ON event_persons.event = e.uuid JOIN persons p ON p.uuid = event_persons.person
    JOIN person_subjects ps ON ps.person = p.uuid JOIN subjects s ON s.uuid = ps.subject WHERE e.id = 3`;
  expect(all(joined)).toEqual([['Event 3', 'Place 3', 'Persoon 1, "de 1e"', 'Subject 1']]);
  expect(
    all('SELECT parent.name FROM subjects JOIN subjects parent ON parent.id = subjects.parent LIMIT 1'),
  ).toEqual([['Subject 1']]);
  expect(
    all(
      "SELECT id FROM locations JOIN locations_fts ON locations_fts.rowid = id WHERE locations_fts MATCH 'plaats AND 7'",
    ),
  ).toEqual([[7]]);
  expect(all('SELECT count(*) FROM related_locations')).toEqual([[8]]);
  expect(all('EXPLAIN QUERY PLAN SELECT * FROM persons WHERE birth_year = 1629').join()).toContain(
    'persons_birth_year',
  );
});

test('archive.xlsx has typed cells; text longer than a cell is cut, with a warning', async (context) => {
  expect(said).toContain(
    `archive-cli: archive.xlsx: content of persons ${uuidOf('person', 1)} is truncated: a cell can contain 32767 characters\n`,
  );
  const workbook = await openWorkbook(join(folder, 'archive.xlsx'));
  context.onTestFinished(() => workbook.close());
  expect(workbook.sheets.map(({ name }) => name)).toEqual([
    'persons',
    'subjects',
    'locations',
    'events',
    'footnotes',
    'files',
  ]);
});

test('geojson has locations and events, with their coordinates', async () => {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')).features;
  expect(await read('locations.geojson')).toHaveLength(8);
  const [first, second] = await read('events.geojson');
  expect(first).toMatchObject({
    geometry: { type: 'Point', coordinates: [4.89, 52.37] },
    properties: { name: 'Event 1', date: '1650-01-01', year: 1650, location: uuidOf('location', 1) },
  });
  expect(second).toMatchObject({ geometry: null, properties: { year: 1629, location: null } });
});

test('geojson of persons is not written, with a warning', async (context) => {
  const out = await temporaryFolder(context);
  const persons = ['harvest', 'persons', '--base-url', archive.url, '--out', out, '--format', 'geojson'];
  const { stderr } = await runHere(persons);
  expect(stderr).toContain('no GeoJSON is written: neither locations nor events were harvested');
});

test('formats leave out fields that are not in the contract', async (context) => {
  const { folder, command } = await startScene(context, { fault: FAULTS['has an unknown field'] }, [
    '--lenient',
    '--format',
    ALL,
  ]);
  expect(await runHere(command)).toMatchObject({ code: 0 });
  const described = JSON.parse(await readFile(join(folder, 'datapackage.json'), 'utf8'));
  expect(described.resources[0].schema.fields.at(-1)).toMatchObject({ name: 'age', type: 'string' });
});

test('the same records give the same bytes in every format', async () => {
  const names = ['archive.sqlite', 'archive.xlsx', 'events.geojson', 'footnotes.csv', 'datapackage.json'];
  const read = () => Promise.all(names.map(async (name) => hashOf(await readFile(join(folder, name)))));
  const before = await read();
  await rm(join(folder, 'harvest.json'));
  expect((await runHere(command)).code).toBe(0);
  expect(await read()).toEqual(before);
  expect((await runHere(['verify', folder])).code).toBe(0);
  for (const name of names) await rm(join(folder, name));
  expect((await runHere(['export', folder, '--format', ALL])).code).toBe(0);
  expect(await read()).toEqual(before);
});

test('datapackage.json describes every file, including those of an earlier export', async (context) => {
  const server = await serveSample(context);
  const folder = await temporaryFolder(context);
  expect((await runHere(['harvest', '--base-url', server.baseUrl, '--out', folder])).code).toBe(0);
  expect((await runHere(['export', folder, '--format', 'geojson,sqlite'])).code).toBe(0);
  const described = JSON.parse(await readFile(join(folder, 'datapackage.json'), 'utf8'));
  expect(packageFaults(described)).toEqual([]);
  const index = await (await server.fetch('/en/api')).json();
  expect(described).toMatchObject({ title: index.title, version: '1' });
  const paths: string[] = described.resources.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual([
    'archive.sqlite',
    'events.csv',
    'events.geojson',
    'files.csv',
    'footnotes.csv',
    'locations.csv',
    'locations.geojson',
    'persons.csv',
    'subjects.csv',
  ]);
  for (const { path, bytes, hash } of described.resources) {
    const content = await readFile(join(folder, path));
    expect({ bytes: content.length, hash: `sha256:${hashOf(content)}` }).toEqual({ bytes, hash });
  }
  expect((await runHere(['verify', folder])).code).toBe(0);
});

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
