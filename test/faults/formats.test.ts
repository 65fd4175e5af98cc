import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordTable } from '@archiefkast/formats';
import { expect, test } from 'vitest';
import { makePerson, uuidOf } from '../../packages/client/testing/records.ts';
import { startArchive } from './archive-server.ts';
import { FAULTS } from './faults.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a harvest is written as CSV and as jsonl', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  archive.changed.set('person 1', {
    last_name: 'a "b", c',
    infix: '=1+1',
    birth_date: null,
    summary: 'one\ntwo',
  });
  const folder = await temporaryFolder(context);
  const command = [
    'harvest',
    '--base-url',
    archive.url,
    '--out',
    folder,
    '--format',
    'csv',
    '--format',
    'jsonl',
  ];
  expect((await runHere(command)).code).toBe(0);

  const persons = await readFile(join(folder, 'persons.csv'), 'utf8');
  const [header, first] = persons.split('\r\n');
  expect(header).toBe(namesOf('person').join(','));
  expect(first).toContain('"Persoon 1, ""de 1e""",,Jan,=1+1,"a ""b"", c",male,,,Amsterdam,Nederland,');
  expect(first).toContain(',"one\ntwo",Life 1,en,Subject 1,');
  expect(persons.split('\r\n')).toHaveLength(1 + 35 + 1);

  const events = await readFile(join(folder, 'events.csv'), 'utf8');
  expect(events.split('\r\n')[1]).toContain(
    `,1650-01-01,,,1650,Place 1,${uuidOf('location', 1)},"Persoon 1, ""de 1e""",${uuidOf('person', 1)},`,
  );
  const subjects = await readFile(join(folder, 'subjects.csv'), 'utf8');
  expect(subjects).toContain(',Subject 2,Onderwerp 2,Subject 2,1,Subject 1,');
  expect(subjects).toContain(',https://example.org/thesaurus/1|https://example.org/concepts/1,');

  const lines = (await readFile(join(folder, 'persons.jsonl'), 'utf8')).split('\n');
  expect(lines[1]).toBe(JSON.stringify(makePerson(2, { baseUrl: archive.url, language: 'en' })));
});

test('--bom adds a byte order mark to CSV files only', async (context) => {
  const { folder, command } = await startScene(context, {}, ['--format', 'csv,jsonl', '--bom']);
  expect((await runHere(command)).code).toBe(0);
  expect((await readFile(join(folder, 'events.csv'))).subarray(0, 5).toString('hex')).toBe('efbbbf7575');
  expect((await readFile(join(folder, 'events.jsonl'), 'utf8')).startsWith('{"id":1,')).toBe(true);
});

test('fields that are not in the contract become the last columns', async (context) => {
  const { folder, command } = await startScene(context, { fault: FAULTS['has an unknown field'] }, [
    '--lenient',
  ]);
  expect((await runHere(command)).code).toBe(0);
  const lines = (await readFile(join(folder, 'persons.csv'), 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(/,url,age$/);
  expect(lines[1]).toMatch(/,$/);
  expect(lines[11]).toMatch(/,42$/);
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('names of a kind that was not harvested are empty, with a warning', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const command = ['harvest', 'persons', '--base-url', archive.url, '--out', folder];
  const { code, stderr } = await runHere(command);
  expect(code).toBe(0);
  expect(stderr).toContain('archive-cli: subject_names of persons is empty: subjects were not harvested\n');
  const [, first] = (await readFile(join(folder, 'persons.csv'), 'utf8')).split('\r\n');
  expect(first).toContain(`,Life 1,en,,${uuidOf('subject', 1)},`);
});

test('--both and --html are applied, also by an update', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const note = (text: string) =>
    `<p>${text}<sup><a href="#fn-1">1</a></sup></p><section class="footnotes"><ol><li>See <a href="https://example.org/">${text}</a></li></ol></section>`;
  archive.changed.set('person 1', { content_nl: note('Leven'), content_en: note('Life') });
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--both', '--html'];
  expect((await runHere(command)).code).toBe(0);
  const read = () => readFile(join(folder, 'persons.csv'), 'utf8');
  const [header, , second] = (await read()).split('\r\n');
  expect(header).toBe(namesOf('person', { both: true }).join(','));
  expect(second).toContain('"<p>Life 2</p>\n","<p>Leven 2</p>\n","<p>Life 2</p>\n",en');
  const notes = await readFile(join(folder, 'footnotes.csv'), 'utf8');
  const start = `\r\nperson,${uuidOf('person', 1)},"Persoon 1, ""de 1e"""`;
  expect(notes).toContain(
    `${start},nl,1,See Leven,https://example.org/${start},en,1,See Life,https://example.org/`,
  );

  archive.changed.set('person 2', { gender: 'female' });
  expect((await runHere(['harvest', '--update', folder])).code).toBe(0);
  expect(await read()).toContain('"<p>Life 2</p>\n","<p>Leven 2</p>\n","<p>Life 2</p>\n",en');
  expect(await read()).toContain(',female,');
});

function namesOf(kind: 'person', options = {}): string[] {
  return recordTable(kind, options).columns.map(({ name }) => name);
}
