import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBundle } from '@archiefkast/archive-api/dist/publish/bundle/check-bundle.js';
import { BundleError, describeFault } from '@archiefkast/archive-api/dist/publish/bundle/faults.js';
import { withBundle } from '@archiefkast/archive-api/dist/publish/bundle/open-bundle.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowXml, zipWorkbook } from '../../packages/formats/testing/zip-workbook.ts';

const ARCHIVE = '3f1d2c4b-5a69-4788-9b0c-1d2e3f405162';

/** A small archive without faults, whose only warnings are about missing English. */
const TABLES = {
  archive: `uuid,title_nl,title_en\n${ARCHIVE},Proef,Test\n`,
  subjects: 'id,name_nl,parent\n1,Handel,\n2,Scheepvaart,Handel\n',
  persons:
    'id,title_nl,first_name,last_name,birth_date,subjects,image_url,image_credit,image_copyright\n' +
    '1,Anna Vos,Anna,Vos,1850-05-12,Handel,https://a.test/1.jpg,RA,PD\n' +
    '2,Piet de Wit,Piet,de Wit,,Scheepvaart|1,,,\n',
  locations:
    'id,name_nl,latitude,longitude\n1,Waag,52.3728,4.9003\n2,Beurs,52.3754,4.8963\n3,Werf,52.3710,4.9130\n',
  events: 'id,name_nl,date,location,persons\n1,Opening,1611-08-01,Beurs,Anna Vos|2\n',
};

/** The warning about a record without a uuid in an archive without one. */
const NO_UUID =
  ': uuid: is missing: set a uuid for the archive, from which the uuids of records are derived (uuid in archive.csv, ' +
  'archive.json or the sheet archive), or use this one: (uuid)';

type Tables = Partial<Record<keyof typeof TABLES | 'files', string | Buffer | undefined>>;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-mistakes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function folderOf(tables: Tables, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const bundle = await mkdtemp(join(folder, 'bundle-'));
  for (const [name, text] of Object.entries({ ...TABLES, ...tables })) {
    if (text !== undefined) await writeFile(join(bundle, `${name}.csv`), text);
  }
  for (const [name, text] of Object.entries(more)) await writeFile(join(bundle, name), text);
  return bundle;
}

/** The same archive as a workbook; rows of persons as XML. */
async function workbookOf(tables: Tables, personRows?: (xml: string) => string, after = ''): Promise<string> {
  const cells = (text: string | Buffer) =>
    String(text)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  const { persons, ...others } = { ...TABLES, ...tables };
  const sheets = Object.entries(others).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, cells(text)] as const],
  );
  const rows = cells(persons ?? '')
    .map(rowXml)
    .join('');
  return zipWorkbook(join(await mkdtemp(join(folder, 'workbook-')), 'archief.xlsx'), {
    sheetData: `<sheetData>${personRows?.(rows) ?? rows}</sheetData>${after}`,
    sheets: Object.fromEntries(sheets),
  });
}

/** The result of checking a bundle: its faults, or that it has none, and its warnings except those about English. */
async function said(path: string): Promise<string[]> {
  try {
    const { warnings } = await withBundle(path, (opened) => checkBundle(opened));
    return warnings.shown
      .filter(({ code }) => code !== 'no-english')
      .map((warning) => `warning: ${describeFault(warning)}`);
  } catch (error) {
    if (error instanceof BundleError) return error.faults.map(describeFault);
    throw error;
  }
}

const replaced = (name: keyof typeof TABLES, from: string, to: string) => ({
  [name]: TABLES[name].replace(from, to),
});

const persons = (from: string, to: string) => () => folderOf(replaced('persons', from, to));
const locations = (from: string, to: string) => () => folderOf(replaced('locations', from, to));

/** The twenty typical mistakes, and the message for each; none if it is accepted. */
export const MISTAKES: readonly (readonly [mistake: string, make: () => Promise<string>, said: string[]])[] =
  [
    ['no id', persons('\n1,Anna', '\n,Anna'), ['persons.csv:2: id: is missing: every record needs an id']],
    [
      'a duplicate id',
      persons('\n2,Piet', '\n1,Piet'),
      [
        'events.csv:2: persons: refers to the person with id 2, which is not in persons.csv',
        'persons.csv:3: id: 1 is already used at persons.csv:2',
      ],
    ],
    [
      'the uuid of another record',
      () => folderOf({ persons: `id,uuid,title_nl\n1,${ARCHIVE},Anna Vos\n2,${ARCHIVE},Piet\n` }),
      ['persons.csv:3: uuid: 3f1d2c4b-5a69-4788-9b0c-1d2e3f405162 is already used at persons.csv:2'],
    ],
    [
      'an ambiguous name',
      persons('2,Piet de Wit,Piet,de Wit', '2,Anna Vos,Anna,Vos'),
      [
        'events.csv:2: persons: "Anna Vos" is the name of 2 records: 1 (persons.csv:2), 2 (persons.csv:3); use the id',
      ],
    ],
    [
      'an unknown id',
      persons('Scheepvaart|1', 'Scheepvaart|7'),
      ['persons.csv:3: subjects: refers to the subject with id 7, which is not in subjects.csv'],
    ],
    [
      'a date with the day first',
      persons('1850-05-12', '12-05-1850'),
      [
        'persons.csv:2: birth_date: expected a calendar date written YYYY-MM-DD, got "12-05-1850"; if the day comes first, write 1850-05-12',
      ],
    ],
    [
      'a year for a date',
      persons('1850-05-12', '1850'),
      [
        'persons.csv:2: birth_date: "1850" is a year, but dates need a day: leave it empty and mention it in the text, write 1850-01-01, or set partial_dates to first-day in the description of the archive',
      ],
    ],
    [
      'a date as the day number of Excel',
      persons('1850-05-12', '43831'),
      [
        'persons.csv:2: birth_date: expected a calendar date written YYYY-MM-DD, got "43831", which may be the spreadsheet number for 2020-01-01; format the column as text and write that date',
      ],
    ],
    [
      'a decimal comma',
      locations('52.3728', '"52,3728"'),
      [
        'locations.csv:2: latitude: expected decimal degrees from -90 to 90 as text, got "52,3728"; use a decimal point: 52.3728',
      ],
    ],
    [
      'latitude and longitude swapped',
      locations('52.3754,4.8963', '4.8963,52.3754'),
      [
        'warning: locations.csv:3: latitude: is far from the other locations; latitude and longitude may be swapped',
      ],
    ],
    [
      'an image without an address',
      persons('https://a.test/1.jpg', ''),
      [
        'persons.csv:2: image_url: is missing, but other image columns are filled: expected the URL or path of the image',
      ],
    ],
    [
      'an unknown column',
      persons('first_name', 'voornaam'),
      ['persons.csv:1: voornaam: is not a column of persons.csv; start its name with _ to have it ignored'],
    ],
    [
      'a missing sheet',
      () => workbookOf({ locations: undefined }),
      ['archief.xlsx: locations: is missing; a kind without records needs a table with only a header row'],
    ],
    [
      'a renamed header',
      persons('last_name', 'Last Name'),
      ['persons.csv:1: Last Name: is not a column of persons.csv; did you mean last_name?'],
    ],
    [
      'merged cells',
      () => workbookOf({}, undefined, '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>'),
      ['archief.xlsx: persons!B2: is a merged cell (B2:B3); unmerge it, so that every row has its own value'],
    ],
    [
      'Windows-1252 (Latin-1)',
      () => folderOf({ persons: Buffer.from('id,title_nl\n1,Anna Vos\n2,Zoë\n', 'latin1') }),
      [
        'persons.csv: is not UTF-8 text; it looks like Windows-1252 (Latin-1), which Excel writes as "CSV": save it as "CSV UTF-8"',
      ],
    ],
    ['semicolons', () => folderOf({ persons: TABLES.persons.replaceAll(',', ';') }), []],
    ['tabs', () => folderOf({ persons: TABLES.persons.replaceAll(',', '\t') }), []],
    ['a byte order mark', () => folderOf({ persons: `\ufeff${TABLES.persons}` }), []],
    ['an empty row in the middle', persons('\n2,', '\n,,,,,,,,\n\n2,'), []],
  ];

describe('typical mistakes', () => {
  test.each(MISTAKES)('%s', async (_, make, expected) => {
    expect(await said(await make())).toEqual(expected);
  });
});

describe('other mistakes', () => {
  test.each<[string, () => Promise<string>, string[]]>([
    ['an archive without a fault', () => folderOf({}), []],
    ['and as a workbook', () => workbookOf({}), []],
    [
      'a table of another export format',
      () => folderOf({ subjects: 'id,url,uuid,name,name_nl\n1,x,y,z,a\n' }),
      [
        'subjects.csv: is an export for reading (--format csv), with derived fields; export with --format tables instead',
      ],
    ],
    [
      'no uuid of the archive',
      () => folderOf({ archive: undefined, persons: 'id,title_nl\n1,Anna Vos\n2,Piet\n' }),
      [
        `subjects.csv:2${NO_UUID}`,
        `subjects.csv:3${NO_UUID}`,
        `persons.csv:2${NO_UUID}`,
        `persons.csv:3${NO_UUID}`,
        `locations.csv:2${NO_UUID}`,
        `locations.csv:3${NO_UUID}`,
        `locations.csv:4${NO_UUID}`,
        `events.csv:2${NO_UUID}`,
      ],
    ],
    [
      '#REF!',
      () =>
        workbookOf({}, (xml) =>
          xml.replace('<c t="inlineStr"><is><t>1850-05-12</t></is></c>', '<c t="e"><v>#REF!</v></c>'),
        ),
      ['archief.xlsx: persons!E2 (birth_date): contains the error #REF! instead of a value'],
    ],
    [
      'a text in two formats',
      () =>
        folderOf({
          persons: 'id,title_nl,content_nl,content_nl_markdown\n1,Anna Vos,<p>a</p>,b\n2,Piet,,c\n',
        }),
      [
        'persons.csv:2: content_nl_markdown: content_nl has the same text in another format; expected only one of them',
      ],
    ],
    [
      'a duplicate column',
      persons('first_name', 'last_name'),
      ['persons.csv:1: last_name: is a duplicate column'],
    ],
    [
      'a long text without its first part',
      persons('first_name', 'content_nl+'),
      ['persons.csv:1: content_nl+: continues a column that is missing'],
    ],
    [
      'a sheet with another name',
      () =>
        workbookOf({}).then(() =>
          zipWorkbook(join(folder, 'een.xlsx'), {
            sheetData: '<sheetData></sheetData>',
            sheets: { personen: [['id'], ['1']] },
          }),
        ),
      [
        'een.xlsx: personen: is not a sheet of a bundle; did you mean persons?',
        'een.xlsx: subjects: is missing; a kind without records needs a table with only a header row',
        'een.xlsx: persons: is empty; expected a header row',
        'een.xlsx: locations: is missing; a kind without records needs a table with only a header row',
        'een.xlsx: events: is missing; a kind without records needs a table with only a header row',
      ],
    ],
    [
      'a file with another name',
      () => folderOf({}, { 'personen.csv': 'id\n' }),
      ['personen.csv: is not a table of a bundle; did you mean persons.csv?'],
    ],
    [
      'no column id',
      () => folderOf({ subjects: 'name_nl\nHandel\n' }),
      ['subjects.csv:1: has no id column, which every table of records needs'],
    ],
    ['an empty file', () => folderOf({ subjects: '' }), ['subjects.csv: is empty; expected a header row']],
    [
      'a quote that is never closed',
      () => folderOf({ subjects: 'id,name_nl\n1,"Handel\n' }),
      ['subjects.csv:2: starts a row with an unclosed quote'],
    ],
    [
      'files with invalid owners',
      () =>
        folderOf({
          files:
            'id,owner_kind,owner,role,order,url,filetype\n1,persoon,1,image,,https://a.test/1.jpg,image\n2,person,9,image,,https://a.test/1.jpg,image\n3,person,,photo,x,a.test,image\n4,person,1,image,,https://a.test/2.jpg,image\n5,person,2,image,,https://a.test/2.jpg,image\n6,person,2,image,,https://a.test/2.jpg,image\n',
        }),
      [
        'files.csv:2: owner_kind: expected person, subject, location or event, got "persoon"',
        'files.csv:3: owner: refers to the person with id 9, which is not in persons.csv',
        'files.csv:4: url: expected an absolute http or https URL, got "a.test"',
        'files.csv:4: owner: is missing: expected the person that the file belongs to',
        'files.csv:4: role: expected image or file, got "photo"',
        'files.csv:4: order: expected a whole number, got "x"',
        'files.csv:7: role: is a second image; the first is at files.csv:6',
        'persons.csv:2: image_url: is a second image of this person; the other is at files.csv:5',
      ],
    ],
    [
      'a second row of the archive',
      () => folderOf({ archive: `${TABLES.archive}${ARCHIVE},a,b\n` }),
      ['archive.csv:3: is a second row; expected one row that describes the archive'],
    ],
    [
      'an archive without a title',
      () => folderOf({ archive: `uuid,homepage\n${ARCHIVE},x\n` }),
      [
        'archive.csv:2: title_nl: is missing',
        'archive.csv:2: homepage: expected an absolute http or https URL',
      ],
    ],
    [
      'two records where one is expected',
      () => folderOf({ events: 'id,name_nl,location,published\n1,a,1|2,misschien\n' }),
      [
        'events.csv:2: published: expected true or false, got "misschien"',
        'events.csv:2: location: expected one record, got 2',
      ],
    ],
    [
      'neither folder nor workbook',
      async () => join(await folderOf({}), 'events.csv'),
      ['…/events.csv: is not a bundle: expected a folder, or a workbook whose name ends in .xlsx'],
    ],
    [
      'an invalid workbook',
      async () => {
        const file = join(folder, 'geen.xlsx');
        await writeFile(file, 'x');
        return file;
      },
      ['geen.xlsx: is not a workbook (.xlsx), or is protected by a password'],
    ],
    [
      'a CSV file named .jsonl',
      () => jsonl('id,title_nl\n1,Anna\n'),
      ['persons.jsonl: is a CSV file; its name should end in .csv'],
    ],
    [
      'a JSON array',
      () => jsonl('[{"id":1},\n{"id":2}]\n'),
      ['persons.jsonl: is a JSON array; expected one record per line, without brackets and commas'],
    ],
    [
      'JSON over several lines',
      () => jsonl('{\n"id":1\n}\n'),
      ['persons.jsonl: is JSON spread over several lines; expected one record per line'],
    ],
  ])('%s', async (_, make, expected) => {
    const told = await said(await make());
    expect(told.map((line) => line.replace(/^\/.*\//, '…/').replaceAll(/[0-9a-f-]{36}$/g, '(uuid)'))).toEqual(
      expected,
    );
  });
});

async function jsonl(persons: string): Promise<string> {
  const bundle = await mkdtemp(join(folder, 'jsonl-'));
  for (const name of ['subjects', 'locations', 'events']) await writeFile(join(bundle, `${name}.jsonl`), '');
  await writeFile(join(bundle, 'persons.jsonl'), persons);
  return bundle;
}
