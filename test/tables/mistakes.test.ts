import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeZip, zipWorkbook } from '../../packages/formats/testing/zip-workbook.ts';
import {
  ARCHIVE,
  fileOf,
  folder,
  folderOf,
  jsonl,
  locations,
  persons,
  replaced,
  said,
  TABLES,
  useFolder,
  workbookOf,
} from './mistaken-bundles.ts';

useFolder();

/** The start of an OpenDocument spreadsheet: a zip file whose first entry says what it is. */
const OPEN_DOCUMENT = Buffer.concat([
  Buffer.from('504b0304140000080000000000000000000000000000000000000800000000', 'hex').subarray(0, 30),
  Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
]);

/** An OLE file with one stream: its header names the sector of the directory, which names the stream. */
function compoundFile(stream: string): Buffer {
  const file = Buffer.alloc(1536);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.write(stream, 1024 + 128, 'utf16le');
  return file;
}

/** Typical mistakes of people who fill in tables, and the messages for each; none if it is accepted. */
const MISTAKES: readonly (readonly [mistake: string, make: () => Promise<string>, said: string[]])[] = [
  ['no id', persons('\n1,Anna', '\n,Anna'), ['persons.csv:2: id: is missing: every record needs an id']],
  [
    'a duplicate id',
    persons('\n2,Piet', '\n1,Piet'),
    [
      'persons.csv:3: id: 1 is already used at persons.csv:2',
      'events.csv:2: persons: refers to the person with id 2, which is not in persons.csv',
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
      'persons.csv:2: birth_date: "1850" is a year, but dates need a day: set partial_dates to first-day in the description of the archive (the API then has 1850-01-01; pages and tables keep 1850), or leave it empty and mention it in the text',
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
    persons('first_name', 'schrijfmachine'),
    [
      'persons.csv:1: schrijfmachine: is not a column of persons.csv; start its name with _ to have it ignored',
    ],
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
      'archive.csv: the archive has no uuid, from which those of 8 records would be derived; save these lines as archive.csv:',
      'uuid,title_nl,title_en',
      '(uuid),Mijn archief,My archive',
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
      'een.xlsx: personen: is not a sheet of a bundle; start its name with _ to have it ignored',
      'een.xlsx: subjects: is missing; a kind without records needs a table with only a header row (also at locations, events)',
      'een.xlsx: persons: is empty; expected a header row',
    ],
  ],
  [
    'a file with another name',
    () => folderOf({ persons: undefined }, { 'personen.csv': TABLES.persons }),
    ['personen.csv: is not a table of a bundle; rename it to persons.csv'],
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
      'files.csv:4: url: expected an absolute http or https URL, got "a.test"',
      'files.csv:4: owner: is missing: expected the person that the file belongs to',
      'files.csv:4: role: expected image or file, got "photo"',
      'files.csv:4: order: expected a whole number, got "x"',
      'files.csv:7: role: is a second image; the first is at files.csv:6',
      'persons.csv:2: image_url: is a second image of this person; the other is at files.csv:5',
      'files.csv:3: owner: refers to the person with id 9, which is not in persons.csv',
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
    'one table',
    async () => join(await folderOf({}), 'events.csv'),
    [
      '…/events.csv: is one table; expected the folder with all tables, persons.csv, subjects.csv, locations.csv and events.csv',
    ],
  ],
  [
    'an invalid workbook',
    () => fileOf('geen.xlsx', 'x'),
    ['geen.xlsx: is not a workbook (.xlsx), or is damaged'],
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

  [
    'names joined by commas',
    persons('Scheepvaart|1', '"Scheepvaart, Handel"'),
    [
      'persons.csv:3: subjects: refers to the subject "Scheepvaart, Handel", which is not in subjects.csv; put | between records: Scheepvaart|Handel',
    ],
  ],
  [
    'names and ids joined by semicolons',
    persons('Scheepvaart|1', '"Scheepvaart; 1"'),
    [
      'persons.csv:3: subjects: refers to the subject "Scheepvaart; 1", which is not in subjects.csv; put | between records: Scheepvaart|1',
    ],
  ],
  [
    'joined names of which one is unknown',
    persons('Scheepvaart|1', '"Scheepvaart, Visserij"'),
    [
      'persons.csv:3: subjects: refers to the subject "Scheepvaart, Visserij", which is not in subjects.csv; if these are several, put | between them',
    ],
  ],
  [
    'a no-break space in a reference',
    () => folderOf(replaced('events', 'Anna Vos', 'Anna\u00a0Vos')),
    [
      'events.csv:2: persons: refers to the person "Anna\u00a0Vos", which is not in persons.csv; did you mean "Anna Vos", without a no-break space?',
    ],
  ],
  [
    'curly quotes in a reference',
    () =>
      folderOf({
        ...replaced('subjects', 'Scheepvaart', "'s Lands dok"),
        ...replaced('persons', 'Scheepvaart', '’s Lands dok'),
      }),
    [
      'persons.csv:3: subjects: refers to the subject "’s Lands dok", which is not in subjects.csv; did you mean "\'s Lands dok", without curly quotes?',
    ],
  ],
  [
    'a name in another case',
    persons('Scheepvaart|1', 'scheepvaart'),
    [
      'persons.csv:3: subjects: refers to the subject "scheepvaart", which is not in subjects.csv; did you mean "Scheepvaart"?',
    ],
  ],
  [
    'a last name first',
    () => folderOf(replaced('events', 'Anna Vos|2', '"Vos, Anna"')),
    [
      'events.csv:2: persons: refers to the person "Vos, Anna", which is not in persons.csv; did you mean "Anna Vos"?',
    ],
  ],
  [
    'ids of letters and digits',
    () =>
      folderOf({ events: undefined, persons: 'id,title_nl\nP-001,Anna Vos\nP-002,Piet\n' }).then(
        (bundle) => bundle,
      ),
    [
      'events.csv: is missing; a kind without records needs a table with only a header row',
      'persons.csv:2: id: expected a whole number, got "P-001"; number the records 1, 2, 3 … and keep other numbers in a column whose name begins with _',
      'persons.csv:3: id: expected a whole number, got "P-002"; number the records 1, 2, 3 … and keep other numbers in a column whose name begins with _',
    ],
  ],
  [
    'an id with a fraction',
    persons('\n2,Piet', '\n2.5,Piet'),
    [
      'persons.csv:3: id: expected a whole number, got "2.5"',
      'events.csv:2: persons: refers to the person with id 2, which is not in persons.csv',
    ],
  ],
  [
    'an id as pandas writes it',
    () =>
      folderOf({
        subjects: 'id,name_nl\n1.0,Handel\n2,Scheepvaart\n',
        persons: 'id,title_nl\n1,Anna Vos\n2,Piet\n',
      }),
    ['subjects.csv:2: id: expected a whole number, got "1.0"; write 1'],
  ],
  [
    'a row of totals',
    () => folderOf({ subjects: `${TABLES.subjects}Totaal,2,\n` }),
    ['subjects.csv:4: id: expected a whole number, got "Totaal"; delete the row if it is a total'],
  ],
  [
    'a title above the header',
    () => folderOf({ subjects: `Onderwerpen van het archief,,\n,,\n${TABLES.subjects}` }),
    ['subjects.csv:1: is not a header; the column names are in row 3: delete the 2 rows above it'],
  ],
  [
    'a column without a name',
    persons('subjects,image_url', 'subjects,'),
    [
      'persons.csv:2: is in column G, which has no name; name it in the first row, or begin its name with _ to have it ignored',
      'persons.csv:2: image_url: is missing, but other image columns are filled: expected the URL or path of the image',
    ],
  ],
  [
    'an empty workbook',
    () => fileOf('leeg.xlsx', ''),
    ['leeg.xlsx: is empty (0 bytes); copy or save it again'],
  ],
  [
    'an OpenDocument spreadsheet',
    () => fileOf('archief.ods', OPEN_DOCUMENT),
    [
      '…/archief.ods: is an OpenDocument spreadsheet (.ods); open it in a spreadsheet program and save it as an Excel workbook (.xlsx)',
    ],
  ],
  [
    'an OpenDocument spreadsheet named .xlsx',
    () =>
      writeZip(
        join(folder, 'ods.xlsx'),
        { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' },
        false,
      ),
    [
      'ods.xlsx: is an OpenDocument spreadsheet (.ods); open it in a spreadsheet program and save it as an Excel workbook (.xlsx)',
    ],
  ],
  [
    'a workbook of Excel 97',
    () => fileOf('archief.xls', compoundFile('Workbook')),
    [
      '…/archief.xls: is a workbook of Excel 97–2003 (.xls); open it in a spreadsheet program and save it as an Excel workbook (.xlsx)',
    ],
  ],
  [
    'the same, renamed',
    () => fileOf('archief.xlsx', compoundFile('Workbook')),
    [
      'archief.xlsx: is a workbook of Excel 97–2003 (.xls); open it in a spreadsheet program and save it as an Excel workbook (.xlsx)',
    ],
  ],
  [
    'a password',
    () => fileOf('archief.xlsx', compoundFile('EncryptedPackage')),
    ['archief.xlsx: is protected by a password; open it, remove the password and save it'],
  ],
  [
    'macros',
    () => fileOf('archief.xlsm', OPEN_DOCUMENT.subarray(0, 4)),
    [
      '…/archief.xlsm: is a workbook with macros (.xlsm); open it in a spreadsheet program and save it as an Excel workbook (.xlsx)',
    ],
  ],
  [
    'a web page named .xls',
    () => fileOf('archief.xls', '<html><table>'),
    [
      '…/archief.xls: is HTML or XML, whatever its name says; open it in a spreadsheet program and save it as an Excel workbook (.xlsx)',
    ],
  ],
  [
    'a path that does not exist',
    () => folderOf({}).then((bundle) => `${bundle}/archief.xlsx`),
    ['…/archief.xlsx: does not exist in …; expected a bundle'],
  ],
  [
    'a misspelt path',
    () => fileOf('archief.xlsx', 'x').then((file) => file.replace('archief', 'achief')),
    ['…/achief.xlsx: does not exist in …; did you mean archief.xlsx?'],
  ],
  [
    'the folder of a workbook',
    () => fileOf('archief.xlsx', 'x').then(dirname),
    [
      '…: is not a bundle: it has no tables (persons.csv …) and no files of JSON lines (persons.jsonl …), but archief.xlsx: name the workbook itself',
    ],
  ],
  [
    'sheets that Google Sheets has saved as CSV',
    () =>
      folderOf(
        {
          persons: undefined,
          archive: undefined,
          subjects: undefined,
          locations: undefined,
          events: undefined,
        },
        { 'my-archive - persons.csv': TABLES.persons },
      ),
    [
      'my-archive - persons.csv: is not a table of a bundle; rename it to persons.csv',
      'subjects.csv: is missing; a kind without records needs a table with only a header row',
      'locations.csv: is missing; a kind without records needs a table with only a header row',
      'events.csv: is missing; a kind without records needs a table with only a header row',
    ],
  ],
  [
    'HTML of Word in Markdown',
    () =>
      folderOf({
        persons:
          'id,title_nl,content_nl_markdown\n1,Anna Vos,<p class=MsoNormal>Schipper.<o:p></o:p></p>\n2,Piet,Smid.\n',
      }),
    [
      'warning: persons.csv:2: content_nl_markdown: shows the tag <p> to readers, as HTML in Markdown or plain text is not HTML',
    ],
  ],
  [
    'other words for a gender',
    () =>
      folderOf({ persons: 'id,title_nl,gender\n1,Anna Vos,Vrouw\n2,Piet,m\n3,Jan,male\n4,Kee,onbekend\n' }),
    [
      'warning: persons.csv:2: gender: is "Vrouw"; expected female',
      'warning: persons.csv:3: gender: is "m"; expected male',
    ],
  ],
  [
    'a space after a name',
    () => folderOf({ ...replaced('persons', '1,Anna Vos,Anna,Vos', '1,Anna Vos ,Anna,Vos') }),
    ['warning: persons.csv:2: title_nl: ends with a space: "Anna Vos "'],
  ],
  [
    'a picture on one computer',
    persons('https://a.test/1.jpg', 'C:\\Users\\anna\\1.jpg'),
    [
      'persons.csv:2: image_url: expected an absolute http or https URL, or a path in MEDIA_DIR such as portraits/vos.jpg (.jpg, .jpeg, .png, .gif, .webp, .avif, .pdf), got "C:\\Users\\anna\\1.jpg", which is a path on one computer; copy the file into MEDIA_DIR and write its path there, such as 1.jpg',
    ],
  ],
  [
    'a path of Windows',
    persons('https://a.test/1.jpg', 'portretten\\1.jpg'),
    [
      'persons.csv:2: image_url: expected an absolute http or https URL, or a path in MEDIA_DIR such as portraits/vos.jpg (.jpg, .jpeg, .png, .gif, .webp, .avif, .pdf), got "portretten\\1.jpg"; write it with /: portretten/1.jpg',
    ],
  ],
  [
    'a TIFF',
    persons('https://a.test/1.jpg', '1.tif'),
    [
      'persons.csv:2: image_url: expected an absolute http or https URL, or a path in MEDIA_DIR such as portraits/vos.jpg (.jpg, .jpeg, .png, .gif, .webp, .avif, .pdf), got "1.tif"; browsers do not show .tif: save it as .jpg or .png',
    ],
  ],
  [
    'the address of a TIFF',
    persons('https://a.test/1.jpg', 'https://a.test/1.TIFF'),
    ['warning: persons.csv:2: image_url: browsers do not show .tiff; save it as .jpg or .png'],
  ],
  [
    'a web address without https',
    persons('https://a.test/1.jpg', 'www.example.org/foo.jpg'),
    [
      'warning: persons.csv:2: image_url: "www.example.org/foo.jpg" is read as a path in MEDIA_DIR; if it is a web address, write https://www.example.org/foo.jpg',
    ],
  ],
  [
    'a misspelt https',
    persons('https://a.test/1.jpg', 'htp:/example.org/foo.jpg'),
    [
      'warning: persons.csv:2: image_url: "htp:/example.org/foo.jpg" is read as a path in MEDIA_DIR; if it is a web address, write https://example.org/foo.jpg',
    ],
  ],
  [
    'columns of another collection',
    () =>
      folderOf({
        persons: 'id,title,title_nl,yearOfBirth,placeOfBirth\n1,a,Anna Vos,1850,Hoorn\n2,b,Piet,1851,Edam\n',
        locations: 'id,name_nl,lat,lon\n1,Waag,52.3728,4.9003\n2,Beurs,52.3754,4.8963\n',
      }),
    [
      'persons.csv:1: title: is not a column of persons.csv; did you mean title_en?',
      'persons.csv:1: yearOfBirth: is not a column of persons.csv; did you mean birth_date?',
      'persons.csv:1: placeOfBirth: is not a column of persons.csv; did you mean birth_place?',
      'locations.csv:1: lat: is not a column of locations.csv; did you mean latitude?',
      'locations.csv:1: lon: is not a column of locations.csv; did you mean longitude?',
    ],
  ],
  [
    'a subject above itself',
    () => folderOf(replaced('subjects', 'Handel,\n', 'Handel,Scheepvaart\n')),
    ['subjects.csv:2: parent: is a cycle: Handel (1) → Scheepvaart (2) → Handel (1)'],
  ],
  [
    'a reference by uuid to nothing',
    () => jsonl(`{"id":4,"uuid":"${ARCHIVE}","title_nl":"Anna Vos","subjects":["${ARCHIVE}"]}\n`),
    [
      `persons.jsonl:1: subjects: refers to the subject ${ARCHIVE}, which is not in subjects.jsonl (person 4, Anna Vos)`,
    ],
  ],
  [
    'only English',
    () => folderOf({ subjects: 'id,name_en,summary_en\n1,Handel,a\n2,Scheepvaart,\n' }),
    [
      'warning: subjects.csv:2: name_nl: is empty, so that name is "" in Dutch; there is an English text (name_nl, summary_nl)',
      'warning: subjects.csv:3: name_nl: is empty, so that name is "" in Dutch; there is an English text',
    ],
  ],
  [
    'a formula without a stored value, as libraries write it',
    () =>
      workbookOf({}, (xml) =>
        xml.replace('<c t="inlineStr"><is><t>1850-05-12</t></is></c>', '<c><f>B1</f><v></v></c>'),
      ),
    [
      'archief.xlsx: persons!E2 (birth_date): contains a formula without a stored value; open the workbook in Excel or LibreOffice, and save it',
    ],
  ],
  [
    'the same mistake in every row',
    () =>
      folderOf({
        subjects: TABLES.subjects + Array.from({ length: 40 }, (_, row) => `,Onderwerp ${row},\n`).join(''),
      }),
    [
      'subjects.csv:4: id: is missing: every record needs an id (also on line 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 29 more)',
    ],
  ],
  [
    'mistakes that differ in their values',
    () =>
      folderOf({
        subjects: TABLES.subjects + Array.from({ length: 40 }, (_, row) => `S${row},a,\n`).join(''),
        persons: TABLES.persons.replace('1850-05-12', '12-05-1850'),
      }),
    [
      ...Array.from(
        { length: 3 },
        (_, row) =>
          `subjects.csv:${row + 4}: id: expected a whole number, got "S${row}"; number the records 1, 2, 3 … and keep other numbers in a column whose name begins with _${row === 2 ? ' (and 37 more like this)' : ''}`,
      ),
      'persons.csv:2: birth_date: expected a calendar date written YYYY-MM-DD, got "12-05-1850"; if the day comes first, write 1850-05-12',
    ],
  ],
];

describe('typical mistakes', () => {
  test('are sixty or more', () => {
    expect(MISTAKES.filter(([, , expected]) => expected.length > 0).length).toBeGreaterThanOrEqual(60);
  });

  test.each(MISTAKES)('%s', async (_, make, expected) => {
    expect(await said(await make())).toEqual(expected);
  });
});
