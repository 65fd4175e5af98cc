import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { writeSheets } from '../support/write-sheets.ts';

const PEOPLE =
  'nr,name,born,place,tags\n1,Anna Vos,1850-05-12,Delft,trade\n2,Piet de Wit,1861-01-02,Leiden,trade;ships\n';

const MAP = `archive:
  uuid: 3f1d2c4b-5a69-4788-9b0c-1d2e3f405162
  title_nl: Proef
  title_en: Test
sources:
  people:
    file: people.csv
persons:
  - from: people
    id: nr
    fields:
      title_nl: name
      birth_date: born
      birth_place: place
      subjects: { column: tags, list: ";" }
subjects:
  - from: people
    each: { column: tags, list: ";" }
    fields:
      name_nl: tags
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-import-faults-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Imports a source by a map; returns what is printed about it, and the files written. */
async function said({ map = MAP, people = PEOPLE }: { map?: string; people?: string | Buffer }) {
  const own = await mkdtemp(join(folder, 'case-'));
  await writeFile(join(own, 'people.csv'), people);
  await writeFile(join(own, 'map.yaml'), map);
  const out = join(own, 'out');
  const run = await runApiHere([
    'import',
    join(own, 'people.csv'),
    '--map',
    join(own, 'map.yaml'),
    '--out',
    out,
  ]);
  const lines = run.stderr.replaceAll(`${own}/`, '').split('\n');
  return { ...run, faults: lines.slice(0, -2), verdict: lines.at(-2), files: await readdir(own) };
}

const changed = (from: string, to: string) => {
  expect(MAP).toContain(from);
  return { map: MAP.replace(from, to) };
};
const rows = (...lines: string[]) => ({ people: `nr,name,born,place,tags\n${lines.join('\n')}\n` });

test('the map and source of the cases below have no faults', async () => {
  const { code, stdout } = await said({});
  expect(stdout).toMatch(/: 2 persons, 2 subjects, 0 locations and 0 events\.\n$/);
  expect(code).toBe(0);
});

describe('a fault in a map names its line and column', () => {
  test.each<[string, () => { map: string }, string]>([
    ['not YAML', () => ({ map: 'archive: [\n' }), 'map.yaml:2:1: is not YAML: '],
    [
      'a key twice',
      () => changed('id: nr', 'id: nr\n    id: nr'),
      'map.yaml:11:5: is not YAML: Map keys must be unique',
    ],
    [
      'an alias of nothing',
      () => changed('id: nr', 'id: *nr'),
      'map.yaml:1:1: is not YAML: Unresolved alias',
    ],
    [
      'no fields',
      () => changed('    fields:\n      name_nl: tags\n', ''),
      'map.yaml:17:5: subjects[0].fields: is missing',
    ],
    [
      'fields that are a list',
      () => changed('    fields:\n      name_nl: tags\n', '    fields: [ tags ]\n'),
      'map.yaml:19:5: subjects[0].fields: expected names with values, got array',
    ],
    ['no map', () => ({ map: 'a list' }), 'map.yaml:1:1: expected object, got string'],
    [
      'an unknown key',
      () => changed('persons:', 'person:'),
      'map.yaml:8:1: person: is not known here; did you mean persons?',
    ],
    [
      'an unknown key of a rule',
      () => changed('    id: nr', '    key: nr'),
      'map.yaml:10:5: persons[0].key: is not known here',
    ],
    [
      'neither id nor each',
      () => changed('    id: nr\n', ''),
      'map.yaml:9:5: persons[0]: expected id (a record of every row) or each (a record of every distinct value)',
    ],
    [
      'an unknown field',
      () => changed('title_nl: name', 'titel_nl: name'),
      'map.yaml:12:7: persons[0].fields.titel_nl: is not a field of persons; did you mean title_nl?',
    ],
    [
      'a field without its language',
      () => changed('title_nl: name', 'title: name'),
      'map.yaml:12:7: persons[0].fields.title: is not a field of persons; did you mean title_nl or title_en?',
    ],
    [
      'a field like no other',
      () => changed('title_nl: name', 'inventory: name'),
      'map.yaml:12:7: persons[0].fields.inventory: is not a field of persons; a name that begins with _ keeps a column for you',
    ],
    [
      'id as a field',
      () => changed('title_nl: name', 'id: name'),
      'map.yaml:12:7: persons[0].fields.id: stands beside fields, not in it',
    ],
    [
      'a list in a field with one value',
      () => changed('birth_place: place', 'birth_place: { column: place, list: ";" }'),
      'map.yaml:14:37: persons[0].fields.birth_place.list: birth_place has one value; list is for subjects',
    ],
    [
      'no column',
      () => changed('title_nl: name', 'title_nl: { after: ", " }'),
      'map.yaml:12:7: persons[0].fields.title_nl: expected one of column, join and constant',
    ],
    [
      'with beside a column',
      () => changed('title_nl: name', 'title_nl: { column: name, with: "-" }'),
      'map.yaml:12:33: persons[0].fields.title_nl.with: is of use beside join only',
    ],
    [
      'a date pattern that is none',
      () => changed('birth_date: born', 'birth_date: { column: born, date: dd-mm-yy }'),
      'map.yaml:13:35: persons[0].fields.birth_date.date[0]: expected a date pattern such as DD-MM-YYYY, D MMMM YYYY or MM/YYYY, got "dd-mm-yy"',
    ],
    [
      'an unknown step within a join',
      () => changed('title_nl: name', 'title_nl: { join: [ { column: name, upper: yes } ] }'),
      'map.yaml:12:43: persons[0].fields.title_nl.join[0].upper: is not known here',
    ],
    [
      'an unknown source',
      () => changed('- from: people\n    id', '- from: peeple\n    id'),
      'map.yaml:9:5: persons[0].from: "peeple" is not one of the sources; did you mean people?',
    ],
    [
      'a file that is not given',
      () => changed('file: people.csv', 'file: persons.csv'),
      'people.csv: is not named in the sources of the map',
    ],
    [
      'an unknown encoding',
      () => changed('file: people.csv', 'file: people.csv\n    encoding: latin1'),
      'map.yaml:8:5: sources.people.encoding: expected one of "utf-8"|"windows-1252"',
    ],
    [
      'a header that is no number',
      () => changed('file: people.csv', 'file: people.csv\n    header: first'),
      'map.yaml:8:5: sources.people.header: expected the number of the row with the names of the columns, from 1',
    ],
    [
      'no uuid',
      () => changed('3f1d2c4b-5a69-4788-9b0c-1d2e3f405162', 'mine'),
      'map.yaml:2:3: archive.uuid: expected a UUID, from which those of the records are derived; import --draft makes one',
    ],
    [
      'an unknown field of the archive',
      () => changed('title_en: Test', 'licence: CC0'),
      'map.yaml:4:3: archive.licence: is not a field of the archive',
    ],
    [
      'an archive without a title',
      () => changed('  title_en: Test\n', ''),
      'map.yaml:1:1: archive.title_en: is missing',
    ],
    [
      'no records',
      () => ({ map: MAP.slice(0, MAP.indexOf('persons:')) }),
      'map.yaml:1:1: makes no records; expected persons, subjects, locations or events',
    ],
    [
      'a column that is missing',
      () => changed('birth_place: place', 'birth_place: plac'),
      'map.yaml:14:7: persons[0].fields.birth_place: people.csv has no column "plac"; did you mean place?',
    ],
    [
      'a column that is missing in a condition',
      () => changed('    id: nr', '    skip: { kind: x }\n    id: nr'),
      'map.yaml:10:13: persons[0].skip.kind: people.csv has no column "kind"; it has nr, name, born, place, tags',
    ],
    [
      'a dropped column that is missing',
      () => changed('file: people.csv', 'file: people.csv\n    drop: [ notes ]'),
      'map.yaml:8:13: sources.people.drop[0]: people.csv has no column "notes"; it has nr, name, born, place, tags',
    ],
    [
      'a header beyond the file',
      () => changed('file: people.csv', 'file: people.csv\n    header: 9'),
      'people.csv: has no row 9 with the names of the columns',
    ],
  ])('%s', async (_, make, expected) => {
    const { code, faults, files } = await said(make());
    expect(
      faults.find((fault) => fault.startsWith(expected)),
      faults.join('\n'),
    ).toBeDefined();
    expect(code).toBe(1);
    expect(files).not.toContain('out');
  });
});

describe('a fault in a source names line and column, and the line of the map', () => {
  test.each<[string, { map?: string; people?: string | Buffer }, string]>([
    [
      'a date',
      rows('1,A,next year,,'),
      'people.csv:2: born: persons.birth_date (map.yaml:13): expected a calendar date written YYYY-MM-DD, got "next year"',
    ],
    [
      'a reference',
      { ...changed('each: { column: tags, list: ";" }', 'id: nr'), people: PEOPLE },
      'people.csv:3: tags: persons.subjects (map.yaml:15): refers to the subject "ships", which is the id or name of none',
    ],
    [
      'an id twice',
      rows('1,A,,,', '1,B,,,'),
      'people.csv:3: has the id "1" a second time; the first is people.csv:2. To make one record of both rows, write each instead of id',
    ],
    [
      'ids that are the same number',
      rows('7,A,,,', '007,B,,,'),
      'people.csv:3: "007" and "7" (people.csv:2) both get the id 7; expected ids that differ',
    ],
    [
      'no id',
      rows('1,A,,,', ',B,,,'),
      'people.csv:3: has no id for the record of persons; fill it, or skip the row in the map',
    ],
    [
      'a control character',
      rows('1,A\u0001,,,'),
      'people.csv:2: name: persons.title_nl (map.yaml:12): contains the control character U+0001, which is not allowed',
    ],
    ['an open quote', rows('1,"A,,,'), 'people.csv:2: starts a row with an unclosed quote'],
    [
      'Windows-1252',
      { people: Buffer.from(PEOPLE.replace('Anna', 'Ren\u00e9'), 'latin1') },
      'people.csv: is not UTF-8 text; it looks like Windows-1252',
    ],
    ['nothing', { people: '' }, 'people.csv: is empty (0 bytes)'],
    [
      'a workbook of another name',
      { people: Buffer.from('d0cf11e0a1b11ae1', 'hex') },
      'people.csv: is a workbook of Excel 97–2003 (.xls)',
    ],
  ])('%s', async (_, given, expected) => {
    const { code, faults, files } = await said(given);
    expect(
      faults.find((fault) => fault.startsWith(expected)),
      faults.join('\n'),
    ).toBeDefined();
    expect(code).toBe(1);
    expect(files).not.toContain('out');
  });

  // Found among 36 million texts.
  test('texts with the same hash are named', async () => {
    const { faults } = await said(rows('P-5662717,A,,,', 'P-19616651,B,,,'));
    expect(faults).toEqual([
      'people.csv:3: "P-19616651" and "P-5662717" (people.csv:2) both get the id 270436785557833; expected ids that differ',
    ]);
  });
});

describe('import without faults', () => {
  test('keeps columns, moves texts, reports rows of one record that differ, and drops what the map drops', async () => {
    const map = MAP.replace('id: nr', 'each: nr')
      .replace('file: people.csv', 'file: people.csv\n    drop: place')
      .replace('      birth_place: place\n', '')
      .replace('birth_date: born', 'birth_date: { column: born, otherwise: keep }');
    const people = 'nr,name,born,place,tags,,note\n1,A,soon,Delft,x,first,\n1,B,1850-01-01,Delft,y,second,\n';
    const { code, stdout } = await said({ map, people });
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, -2)).toEqual([
      'people.csv: 2 rows; 4 columns used',
      '  1 kept with _ before the name: column 6',
      '  1 dropped by the map: place',
      '  1 without a text: note',
      'persons.birth_date: 1 text not valid there, kept in _birth_date, such as "soon" (people.csv:2)',
      'persons.title_nl: 1 row differs from the first of the record, which is kept: "B" (people.csv:3) from "A" (people.csv:2)',
      'persons.birth_date: 1 row differs from the first of the record, which is kept: "1850-01-01" (people.csv:3) from "soon" (people.csv:2)',
    ]);
  });

  test('reads sheets by name; a fault names the cell', async () => {
    const own = await mkdtemp(join(folder, 'sheets-'));
    const workbook = await writeSheets(join(own, 'people.xlsx'), { Notes: 'a\nb\n', People: PEOPLE });
    const paths = { map: join(own, 'map.yaml'), out: join(own, 'out.xlsx') };
    const run = (map: string) =>
      writeFile(paths.map, map).then(() =>
        runApiHere(['import', workbook, '--map', paths.map, '--out', paths.out]),
      );
    const ofWorkbook = MAP.replace('people.csv', 'people.xlsx');
    expect((await run(ofWorkbook)).stderr).toMatch(
      /^map\.yaml:7:5: sources\.people\.file: people\.xlsx has 2 sheets; expected sheet: one of Notes, People\n/,
    );
    const ofSheet = ofWorkbook.replace('people.xlsx', 'people.xlsx\n    sheet: People');
    expect((await run(ofSheet.replace('birth_date: born', 'birth_date: name'))).stderr).toMatch(
      /^people\.xlsx: People!B2 \(name\): persons\.birth_date \(map\.yaml:14\): expected a calendar date/,
    );
    expect(await run(ofSheet)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(ofSheet)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/out\.xlsx already exists/),
    });
  });
});

describe('the command line', () => {
  test.each([
    [['import'], 'import: expected one or more CSV files or workbooks'],
    [['import', 'a.csv'], 'import: expected --draft <map>, or --map <map> and --out <out>'],
    [
      ['import', 'a.csv', '--map', 'm.yaml'],
      'import: expected --draft <map>, or --map <map> and --out <out>',
    ],
    [
      ['import', 'a.csv', '--draft', 'm.yaml', '--out', 'o'],
      'import: expected --draft <map>, or --map <map> and --out <out>',
    ],
  ])('%j', async (args, message) => {
    expect(await runApiHere(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('a map that does not exist, or exists already', async () => {
    const own = await mkdtemp(join(folder, 'maps-'));
    const [people, map] = [join(own, 'people.csv'), join(own, 'map.yaml')];
    await writeFile(people, PEOPLE);
    const missing = await runApiHere(['import', people, '--map', map, '--out', join(own, 'out')]);
    expect(missing.stderr).toMatch(
      /map\.yaml: does not exist in .*; expected a map, which import --draft writes\n/,
    );
    expect((await runApiHere(['import', people, '--draft', map])).code).toBe(0);
    expect((await runApiHere(['import', people, '--draft', map])).stderr).toMatch(
      /map\.yaml already exists\n/,
    );
  });
});
