import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CSV_COLUMNS } from '@archive/types';
import { expect, test } from 'vitest';
import { startArchive } from './archive-server.ts';
import { FAULTS } from './faults.ts';
import { makePerson, uuidOf } from './records.ts';
import { runHere } from './run-here.ts';
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
  expect(header).toBe(CSV_COLUMNS.person.join(','));
  expect(first).toContain('Jan,"a ""b"", c",=1+1,"Persoon 1, ""de 1e"""');
  expect(first).toContain('"one\ntwo"');
  expect(persons.split('\r\n')).toHaveLength(1 + 35 + 1);

  const events = await readFile(join(folder, 'events.csv'), 'utf8');
  expect(events.split('\r\n')[1]).toContain(`,${uuidOf('person', 1)},${uuidOf('location', 1)},`);
  const subjects = await readFile(join(folder, 'subjects.csv'), 'utf8');
  expect(subjects).toContain(',https://example.org/thesaurus/1|https://example.org/concepts/1,');

  const lines = (await readFile(join(folder, 'persons.jsonl'), 'utf8')).split('\n');
  expect(lines[1]).toBe(JSON.stringify(makePerson(2, { baseUrl: archive.url, language: 'en' })));
});

test('--bom marks CSV files, and nothing else', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--format', 'csv,jsonl', '--bom'];
  expect((await runHere(command)).code).toBe(0);
  expect((await readFile(join(folder, 'events.csv'))).subarray(0, 5).toString('hex')).toBe('efbbbf6964');
  expect((await readFile(join(folder, 'events.jsonl'), 'utf8')).startsWith('{"id":1,')).toBe(true);
});

test('fields that the contract does not know become the last columns', async (context) => {
  const archive = await startArchive({ fault: FAULTS['answers with a field too many'] });
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', archive.url, '--out', folder, '--lenient'];
  expect((await runHere(command)).code).toBe(0);
  const lines = (await readFile(join(folder, 'persons.csv'), 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(/,files,age$/);
  expect(lines[1]).toMatch(/,$/);
  expect(lines[11]).toMatch(/,42$/);
  expect((await runHere(['verify', folder])).code).toBe(0);
});
