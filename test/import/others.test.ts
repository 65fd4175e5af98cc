import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeSheets } from '../support/write-sheets.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

const ARCHIVE =
  'archive: { uuid: 11111111-1111-4111-8111-111111111111, title_nl: T, title_en: T, partial_dates: first-day }\n';

type Content = string | Buffer | Record<string, string>;

/** Imports files by a map; returns what it prints, and a table by name. */
async function importBy(files: Readonly<Record<string, Content>>, map: string) {
  const own = await mkdtemp(join(folder, 'case-'));
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(own, name);
    paths.push(path);
    if (typeof content === 'string' || Buffer.isBuffer(content)) await writeFile(path, content);
    else await writeSheets(path, content);
  }
  await writeFile(join(own, 'map.yaml'), ARCHIVE + map);
  const out = join(own, 'out');
  const { stdout, stderr } = await runApiHere([
    'import',
    ...paths,
    '--map',
    join(own, 'map.yaml'),
    '--out',
    out,
  ]);
  const table = async (name: string) =>
    (await readFile(join(out, `${name}.csv`), 'utf8')).replace('\ufeff', '').replaceAll('\r\n', '\n');
  return { stdout, stderr, table };
}

const event = (fields: string, source = 'file: a.csv') =>
  `sources: { a: { ${source} } }\nevents: [ { from: a, ${fields} } ]\n`;
const NAMED = 'id: nr, fields: { name_nl: naam, name_en: naam }';

describe('a fault, and nothing is written', () => {
  test.each<[string, Record<string, string>, string, string | RegExp]>([
    [
      'more cells than the header',
      { 'a.csv': 'nr,naam\n1,De sluis\n2,De markt, oost\n3,De haven,\n' },
      event(NAMED),
      'a.csv:3: has 3 cells, the header 2; put a text with a separator in quotes',
    ],
    [
      'as many cells, but a text in curly quotes over two of them',
      { 'a.csv': 'nr,naam,jaar,opm\n1,“De sluis, oost”,1650\n' },
      event(NAMED),
      'a.csv:2: has in cells 2 to 3 one text in quotes of another shape; expected straight quotes (")',
    ],
    [
      'two lists that are numbered alike',
      { 'a.csv': 'nr,naam\n1,Anna Vos\n', 'b.csv': 'nr,naam\n1,Cor Kok\n' },
      `sources: { a: { file: a.csv }, b: { file: b.csv } }\nevents: [ { from: a, ${NAMED} }, { from: b, ${NAMED} } ]\n`,
      'b.csv:2: has the id "1" a second time; the first is a.csv:2; if they are two records, write a constant before it: ' +
        'id: { join: [ { constant: b }, nr ] }',
    ],
    [
      'two lists that are numbered alike, with each',
      { 'a.csv': 'nr,naam\n1,Anna Vos\n', 'b.csv': 'nr,naam\n1,Cor Kok\n' },
      'sources: { a: { file: a.csv }, b: { file: b.csv } }\npersons:\n' +
        ['a', 'b'].map((from) => `  - { from: ${from}, each: nr, fields: { title_nl: naam } }\n`).join(''),
      /^b\.csv:2: "Cor Kok" has the id "1" of "Anna Vos" \(a\.csv:2\); if they are two records, write a constant/,
    ],
    [
      'a control character',
      { 'a.tsv': 'nr\tnaam\n1\tA\u000bB\n' },
      event(NAMED, 'file: a.tsv'),
      /^a\.tsv:2: naam: contains the control character U\+000B, .* where characters: \{ "\\v": "\\n", "\\x1D": "\|" \} in the source/,
    ],
    [
      'an encoding that is none',
      { 'a.csv': 'nr,naam\n1,A\n' },
      event(NAMED, 'file: a.csv, encoding: ansi-nl'),
      /sources\.a\.encoding: expected an encoding, such as utf-8, windows-1252, macintosh, iso-8859-2 or utf-16le/,
    ],
    [
      'paths of terms of another kind than subjects',
      { 'a.csv': 'nr,naam\n1,A\n' },
      event('each: { column: nr, path: / }, fields: { name_nl: naam }'),
      /events\[0\]\.each\.path: makes a record of every term of a path, which only subjects have/,
    ],
  ])('%s', async (_, files, map, message) => {
    const { stdout, stderr } = await importBy(files, map);
    expect(stdout).toBe('');
    const [line = ''] = stderr.split('\n');
    if (typeof message === 'string') expect(line).toBe(message);
    else expect(line).toMatch(message);
  });
});

describe('tables of others', () => {
  test.each<[string, Record<string, Content>, string, string, string, string?]>([
    [
      'quotes after a space',
      { 'a.csv': 'nr, naam\n1, "De sluis, oost"\n' },
      event(NAMED),
      'events',
      'id,name_nl,name_en\n1,"De sluis, oost","De sluis, oost"\n',
    ],
    [
      'rows with fewer cells',
      { 'a.csv': 'nr,naam,jaar\n1,A\n2,B,1650\n' },
      event(NAMED),
      'events',
      'id,name_nl,name_en,_jaar\n1,A,A,\n2,B,B,1650\n',
      '  1 with fewer cells than columns, such as a.csv:2\n',
    ],
    [
      'no header',
      { 'a.csv': '1,A\n2,B\n' },
      event(NAMED, 'file: a.csv, header: none, columns: [nr, naam]'),
      'events',
      'id,name_nl,name_en\n1,A,A\n2,B,B\n',
    ],
    [
      'no header, and columns by number',
      { 'a.csv': '1,A\n2,B,c\n' },
      event('id: column 1, fields: { name_nl: column 2 }', 'file: a.csv, header: none'),
      'events',
      'id,name_nl,name_en,_column 3\n1,A,,\n2,B,,c\n',
    ],
    [
      'the text of an id that is a number',
      { 'a.csv': 'nr,naam\n0012,A\n12345678901234567,B\n7,C\n' },
      event(NAMED),
      'events',
      'id,name_nl,name_en,_nr\n12,A,A,0012\n2,B,B,12345678901234567\n7,C,C,\n',
    ],
    [
      'an id with a constant before it',
      { 'a.csv': 'nr,naam\n1,A\n' },
      event('id: { join: [ { constant: a }, nr ] }, fields: { name_nl: naam }'),
      'events',
      'id,name_nl,name_en,_nr\n1,A,,1\n',
    ],
    [
      'an id that two rows have, and one that is missing',
      { 'a.csv': 'nr,naam\na-2,A\na-2,B\n,C\n' },
      event('id: { first: [ nr, naam ] }, repeated: numbered, fields: { name_nl: naam }'),
      'events',
      'id,name_nl,name_en,_nr\n1,A,,a-2\n2,B,,a-2\n3,C,,\n',
    ],
    [
      'rows that continue the one above, and ditto marks',
      { 'a.csv': 'nr,naam,jaar\n1,A,1650\n,,idem\n2,B,1651\n,,""""\n' },
      event('each: nr, fields: { name_nl: naam, date: jaar }', 'file: a.csv, fill: [ nr, jaar ]'),
      'events',
      'id,name_nl,name_en,date\n1,A,,1650\n2,B,,1651\n',
      '  2 of the cells of nr filled from above\n  2 of the cells of jaar filled from above\n',
    ],
    [
      'columns kept aside that have the name of another',
      { 'a.csv': 'nr,naam,jaar,date\n1,A,x,y\n', 'b.csv': 'naam,date\nA,z\n' },
      'sources: { a: { file: a.csv }, b: { file: b.csv } }\nevents:\n' +
        '  - { from: a, id: nr, fields: { name_nl: naam, date: { column: jaar, otherwise: keep } } }\n' +
        '  - { from: b, each: naam, fields: { name_nl: naam } }\n',
      'events',
      'id,name_nl,name_en,_date,_date (2),_date (3)\n1,A,,x,y,z\n',
      '  1 kept with _ before the name: date (in _date (2))\n',
    ],
    [
      'an encoding of the map',
      { 'a.csv': Buffer.from([...Buffer.from('nr,naam\n1,'), 0xc0, 0xed, 0xed, 0xe0]) },
      event(NAMED, 'file: a.csv, encoding: windows-1251'),
      'events',
      'id,name_nl,name_en\n1,Анна,Анна\n',
    ],
    [
      'characters of FileMaker',
      { 'a.tsv': 'nr\tnaam\ttags\n1\tA\u000bB\tx\u001dy\n' },
      'sources: { a: { file: a.tsv, characters: { "\\v": "\\n", "\\x1D": "|" } } }\n' +
        'subjects: [ { from: a, each: { column: tags, list: "|" }, fields: { name_nl: tags } } ]\n' +
        'events: [ { from: a, id: nr, fields: { content_nl_text: naam, subjects: { column: tags, list: "|" } } } ]\n',
      'events',
      'id,name_nl,name_en,subjects,content_nl_text\n1,,,x|y,"A\nB"\n',
    ],
    [
      'paths of terms, with levels that have no row',
      { 'a.csv': 'nr,naam,term\n1,A,Kunst > Portret\n2,B,Ambacht>Portret\n3,C,Kunst\n' },
      'sources: { a: { file: a.csv } }\n' +
        'subjects: [ { from: a, each: { column: term, path: " > " }, fields: { name_nl: term, name_en: term } } ]\n' +
        'events: [ { from: a, id: nr, fields: { name_nl: naam, subjects: { column: term, path: " > " } } } ]\n',
      'subjects',
      'id,name_nl,name_en,parent\n1,Kunst,Kunst,\n2,Portret,Portret,Kunst\n3,Ambacht,Ambacht,\n4,Portret,Portret,Ambacht\n',
    ],
    [
      'names of persons, and institutions as they stand',
      { 'a.csv': 'maker\n"Berg, Jan van den, jr."\n"Mol & Zonen, N.V."\n' },
      'sources: { a: { file: a.csv } }\npersons:\n  - from: a\n    each: maker\n    fields:\n' +
        ['title_nl: title', 'first_name: first_name', 'infix: infix', 'last_name: last_name']
          .map((line) => line.split(': '))
          .map(([field, part]) => `      ${field}: { column: maker, name: ${part} }\n`)
          .join(''),
      'persons',
      'id,title_nl,title_en,first_name,infix,last_name\n1,Jan van den Berg jr.,,Jan,van den,Berg\n2,"Mol & Zonen, N.V.",,,,\n',
      'persons.title_nl: 1 name left as it stands, such as "Mol & Zonen, N.V." (a.csv:3)\n',
    ],
    [
      'dates that a spreadsheet may have turned round',
      { 'a.xlsx': { A: 'nr,naam,dag\n1,A,1950-03-05\n2,B,13/05/1950\n3,C,1950-06-06\n' } },
      'sources: { a: { file: a.xlsx } }\nevents: [ { from: a, id: nr, fields: { name_nl: naam, date: { column: dag, date: D/M/YYYY } } } ]\n',
      'events',
      'id,name_nl,name_en,date\n1,A,,1950-03-05\n2,B,,1950-05-13\n3,C,,1950-06-06\n',
      '  DAY AND MONTH MAY BE TURNED ROUND by a spreadsheet in dag, as beside them is "13/05/1950", which it could not read: ' +
        'a.xlsx: A!C2 (1950-03-05)\n',
    ],
    [
      'a date with a time',
      { 'a.csv': 'nr,naam,dag\n1,A,1950-05-01 14:30\n' },
      event('id: nr, fields: { name_nl: naam, date: dag }'),
      'events',
      'id,name_nl,name_en,date,_date\n1,A,,1950-05-01,1950-05-01 14:30\n',
      'events.date: 1 text not valid there, kept in _date, such as "1950-05-01 14:30" (a.csv:2)\n',
    ],
    [
      'sheets that the map does not name',
      { 'a.xlsx': { A: 'nr,naam\n1,A\n', B: 'x\n1\n', _notes: 'x\n1\n' } },
      event(NAMED, 'file: a.xlsx, sheet: A'),
      'events',
      'id,name_nl,name_en\n1,A,A\n',
      '  1 of the sheets of a.xlsx not used: B\n',
    ],
  ])('%s', async (_, files, map, name, expected, said = '') => {
    const { stdout, stderr, table } = await importBy(files, map);
    expect(stderr).toBe('');
    // Ids that are hashes are numbered by their row.
    const lines = (await table(name)).split('\n');
    const rows = lines.map((line, row) => line.replace(/^\d{12,}(?=,)/, `${row}`)).join('\n');
    expect(rows).toBe(expected);
    expect(stdout).toContain(said);
  });
});
