import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runApiHere } from '../support/api-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeSheets } from '../support/write-sheets.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Drafts a map for files, imports them by it, and checks the tables; returns the map and what import printed. */
async function draft(files: Readonly<Record<string, string | Buffer | Record<string, string>>>) {
  const own = await mkdtemp(join(folder, 'case-'));
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(own, name);
    paths.push(path);
    if (typeof content === 'string' || Buffer.isBuffer(content)) await writeFile(path, content);
    else await writeSheets(path, content);
  }
  const [map, out] = [join(own, 'map.yaml'), join(own, 'out')];
  const drafted = await runApiHere(['import', ...paths, '--draft', map]);
  expect(drafted.stderr).toBe('');
  const imported = await runApiHere(['import', ...paths, '--map', map, '--out', out]);
  expect(imported.stderr).toBe('');
  const checked = await runApiHere(['check', out]);
  expect(checked.stderr).toBe('');
  const text = await readFile(map, 'utf8');
  return { map: parse(text, { schema: 'failsafe' }), text, stdout: imported.stdout };
}

describe('a draft', () => {
  test('finds persons by headers in any style, in Dutch or English', async () => {
    const { map, text } = await draft({
      'lijst.csv':
        'Nr.;Naam kunstenaar;M/V;Geslacht;Geboorte-datum;PlaatsVanOverlijden\n' +
        '1;Vos, Anna;v;Vrouw;12 mei 1850;Delft\n2;Wit, Piet;m;man;[1861];Leiden\n',
    });
    expect(map.persons[0]).toEqual({
      from: 'lijst',
      id: 'Nr.',
      fields: {
        title_nl: { column: 'Naam kunstenaar', name: 'title' },
        title_en: { column: 'Naam kunstenaar', name: 'title' },
        first_name: { column: 'Naam kunstenaar', name: 'first_name' },
        infix: { column: 'Naam kunstenaar', name: 'infix' },
        last_name: { column: 'Naam kunstenaar', name: 'last_name' },
        gender: { column: 'Geslacht', replace: { Vrouw: 'female', man: 'male' } },
        birth_date: { column: 'Geboorte-datum', date: 'D MMMM YYYY', otherwise: 'keep' },
        death_place: 'PlaatsVanOverlijden',
      },
    });
    expect(text).toMatch(/# persons, because of Geslacht, Geboorte-datum, PlaatsVanOverlijden$/m);
    expect(text).toMatch(
      /birth_date: .* # its header says birth_date; 2 texts in 2 rows; not valid, so kept in _birth_date: 1, such as "\[1861\]"$/m,
    );
    expect(text).toMatch(/^ {6}# FIELD: M\/V +# no known header: "v", "m"$/m);
  });

  test('reads headers of Dublin Core, and the language in them', async () => {
    const { map } = await draft({
      'export.csv':
        'o:id,dcterms:title @nl,dcterms:title @en,dcterms:creator,dcterms:date,Dublin Core:Subject,dcterms:spatial\n' +
        '101,De sluis,The lock,Brand | Mol,1898-06-11,sluizen | schepen,Oosterhaven\n102,Markt,Market,Mol,1899-05-01,,\n',
    });
    expect(map.events[0].fields).toEqual({
      name_nl: 'dcterms:title @nl',
      name_en: 'dcterms:title @en',
      date: 'dcterms:date',
      location: 'dcterms:spatial',
      persons: { column: 'dcterms:creator', list: '|' },
      subjects: { column: 'Dublin Core:Subject', list: '|' },
    });
  });

  test('says which other columns could have been meant, and why they were not taken', async () => {
    const { map, text } = await draft({
      'objects.csv':
        'Object ID,Object Number,Object Name,Title,Artist Display Name,Artist Begin Date,Image,Thumbnail,Rights\n' +
        '1,19.1,Coin,Liberty,James Longacre,1794,coin,https://a.test/1.jpg,CC0\n2,19.2,Coin,Eagle,,,bird,,\n',
    });
    expect(map.events[0].id).toBe('Object ID');
    expect(map.events[0].fields).toEqual({
      name_nl: 'Title',
      name_en: 'Title',
      persons: 'Artist Display Name',
      image_url: 'Thumbnail',
      image_copyright: { column: 'Rights', otherwise: 'keep' },
    });
    expect(text).toMatch(
      /id: Object ID +# its header says id, and it differs in all rows; not "Object Number"$/m,
    );
    expect(text).toMatch(/name_nl: Title +# its header says name; .*; not "Object Name": see below$/m);
    for (const left of [
      'Object Number: its header says id: see the id of the rule: "19.1", "19.2"',
      'Object Name: its header says name, but "Title" is more usual: "Coin"',
      'Artist Begin Date: no known header: "1794"',
      'Image: few of its texts are addresses of pictures: "coin", "bird"',
    ]) {
      const [column = '', ...why] = left.split(': ');
      expect(text.replaceAll(/ +/g, ' ')).toContain(`# FIELD: ${column} # ${why.join(': ')}\n`);
    }
  });

  test('makes one record of rows with the same id, and leaves terms of office to the user', async () => {
    const { map, text, stdout } = await draft({
      'staff.csv':
        'PersonID,DisplayName,Gender,BirthYear,Position,PositionBeginDate,PositionEndDate\n' +
        '8,Ann Lee,Female,1900,Curator,7/1/1932,8/31/1934\n8,Ann Lee,Female,1900,Director,1/1/1946,12/1/1954\n' +
        '9,Bo Ek,Male,1911,Curator,1/2/1935,\n',
    });
    expect(map.persons[0].each).toBe('PersonID');
    expect(text).toMatch(
      /each: PersonID +# rows with the same id and name are one record: "8" in staff\.csv:2 and staff\.csv:3$/m,
    );
    expect(text).toMatch(
      /# FIELD: PositionBeginDate +# its header says date_start, but persons have no such field: "7\/1\/1932", /,
    );
    expect(stdout).toMatch(/: 2 persons, 0 subjects, 0 locations and 0 events\.\n$/);
  });

  test.each<[string, string, object, string]>([
    [
      'two rows have it',
      'identifier,title,date\na-1,De sluis,1898\na-2,De markt,1899\na-2,De storm,1901\n',
      { id: 'identifier', repeated: 'numbered' },
      'MEND THE ID? "identifier" has "a-2" in objects.csv:3 and objects.csv:4; the second gets a number',
    ],
    [
      'it is missing',
      'nr,title\n1,Kan\n,Bord\n3,Kom\n',
      { id: { first: [{ column: 'nr' }, { column: 'title' }] }, repeated: 'numbered' },
      'MEND THE ID? "nr" is empty in 1 of 3 rows, such as objects.csv:3 (fill: in the source repeats the id above); the name stands',
    ],
    [
      'rows continue the one above',
      'nr,title\n1,Kan\n,Bord\nidem,Kom\n',
      { id: 'title' },
      'MEND THE ID? "nr" is empty in 2 of 3 rows, such as objects.csv:3 (fill: in the source repeats the id above); so',
    ],
    [
      'few rows have one of their own',
      'code,title\na,Kan\na,Bord\na,Kom\n',
      { id: 'title' },
      'MEND THE ID? "code" has "a" in objects.csv:2 and objects.csv:3, and 1 more; so the name differs in all rows',
    ],
  ])('says by line what is wrong with an id, and keeps it: %s', async (_, text, rule, why) => {
    const drafted = await draft({ 'objects.csv': text });
    expect(drafted.map.events[0]).toMatchObject(rule);
    expect(drafted.text).toContain(why);
  });

  test('keeps the parents of a thesaurus whose ids are not all right', async () => {
    const { stdout } = await draft({
      'thesaurus.tsv':
        'term_id\tterm\tparent\n\tgebouwen (groep)\t\n300\tbouwwerk\t\n301\tdam\t300\n301\taquaduct\t300\n302\tmolen\t299\n',
    });
    expect(stdout).toContain('subjects.parent: 1 text not valid there, kept in _parent, such as "299"');
    expect(stdout).toMatch(/: 0 persons, 5 subjects, /);
  });

  test('asks whether a first row is a header, and takes one that is data for none', async () => {
    const { map, text } = await draft({ 'a.csv': 'x,y\n1,A\n', 'b.csv': '1,A\n2,B\n' });
    expect(map.sources.b).toEqual({ file: 'b.csv', header: 'none' });
    expect(text).toContain('IS THE FIRST ROW A HEADER? otherwise header: none');
  });

  test('turns the control characters of FileMaker, and asks about ditto marks and paths of terms', async () => {
    const { map, text } = await draft({
      'list.tsv': 'nr\tnaam\ttrefwoord\tjaar\n1\tA\u000bB\tKunst > Portret\t1650\n2\tC\tKunst\tidem\n',
    });
    expect(map.sources.list.characters).toEqual({ '\v': '\n' });
    expect(text).toContain('DOES "idem" REPEAT THE TEXT ABOVE? fill: in the source does it');
    expect(text).toContain('ARE "Kunst > Portret" PATHS OF TERMS? path: and the separator');
  });

  test('keeps records of two lists apart that are both numbered from 1', async () => {
    const { map, text, stdout } = await draft({
      'a.csv': 'nr,naam,geboren\n1,Anna Vos,1650\n2,Bert Bos,1660\n',
      'b.csv': 'nr,naam,overleden\n1,Cor Kok,1900\n2,Dirk Dam,1910\n',
    });
    expect(map.persons[0].id).toBe('nr');
    expect(map.persons[1].id).toEqual({ join: [{ constant: 'b' }, { column: 'nr' }] });
    expect(text).toContain('IS "1" ANOTHER RECORD THAN IN a?');
    expect(stdout).toMatch(/: 4 persons, /);
  });

  test('reads years written as decimal numbers, and dates with a time', async () => {
    const { map, text } = await draft({
      'deelnemers.csv': 'naam,geboortejaar,overleden\nD,1850.0,1900-01-02T00:00:00Z\nE,1851.0,\n',
      'events.csv': 'title,date\nF,1885-1906\nG,1898/9\nH,1903\n',
    });
    expect(map.persons[0].fields).toMatchObject({
      birth_date: { column: 'geboortejaar', date: 'YYYY.0' },
      death_date: { column: 'overleden', before: 'T' },
    });
    expect(map.events[0].fields.date).toEqual({ column: 'date', otherwise: 'keep' });
    expect(text).toContain('not valid, so kept in _date: 2, such as "1885-1906", "1898/9"');
  });

  test('asks which of day and month is first where dates do not show it, and reads them in one order', async () => {
    const { map, text } = await draft({
      'people.csv': 'name,born\nA,1/2/1850\nB,3/4/1851\n',
      'events.csv': 'title,start,end\nA,12-31-1999,31-12-1999\nB,31-12-1999,1-2-1900\n',
    });
    expect(map.persons[0].fields.birth_date).toEqual({ column: 'born', date: 'D/M/YYYY' });
    expect(text).toContain('IS THE DAY FIRST? no text shows it; for the month first, write M before D');
    expect(map.events[0].fields).toMatchObject({
      date_start: { column: 'start', date: 'M-D-YYYY', otherwise: 'keep' },
      date_end: { column: 'end', date: 'D-M-YYYY' },
    });
    expect(text).toContain(
      'month first, as in "12-31-1999"; not valid, so kept in _date_start: 1, such as "31-12-1999"',
    );
  });

  test('asks about names with the last name first, and texts that may stand for the lack of one', async () => {
    const { map, text, stdout } = await draft({
      'works.csv': 'nr,title,maker\n1,A,"Vos, Anna"\n2,B,"Mol & Zonen, N.V."\n4,D,unknown\n5,E,"Wit, Piet"\n',
    });
    expect(map.persons[0].fields).toEqual({
      title_nl: { column: 'maker', name: 'title' },
      title_en: { column: 'maker', name: 'title' },
      first_name: { column: 'maker', name: 'first_name' },
      infix: { column: 'maker', name: 'infix' },
      last_name: { column: 'maker', name: 'last_name' },
    });
    expect(text).toContain(
      '4 texts in 4 rows; IS "unknown" A TEXT OR THE LACK OF ONE? replace: { text: "" } empties it; LAST NAME FIRST in ' +
        '"Vos, Anna", "Mol & Zonen, N.V.", "Wit, Piet": turned, but for what may be no person',
    );
    expect(stdout).toContain(
      'persons.title_nl: 1 name left as it stands, such as "Mol & Zonen, N.V." (works.csv:3)',
    );
  });

  test('takes the infix from last names', async () => {
    const { map } = await draft({
      'personen.csv': "voornaam,achternaam\nJan,van den Berg\nAnna,Vos\nElse,'t Hooft\n",
    });
    expect(map.persons[0].fields).toMatchObject({
      infix: { column: 'achternaam', name: 'infix' },
      last_name: { first: [{ column: 'achternaam', name: 'last_name' }, { column: 'achternaam' }] },
    });
  });

  test('finds a header below titles, the delimiter and the encoding', async () => {
    const { map, text } = await draft({
      'personen.csv': Buffer.from(
        'Leden, 1885-2020\r\n\r\nNaam;Geboren;Overleden\r\nRené;1850;1900\r\nZoë;1851;ca. 1902\r\n',
        'latin1',
      ),
    });
    expect(map.sources.personen).toEqual({
      file: 'personen.csv',
      header: '3',
      delimiter: ';',
      encoding: 'windows-1252',
    });
    expect(text).toContain('not UTF-8: ARE THESE RIGHT? "René", "Zoë"');
    expect(map.archive.partial_dates).toBe('first-day');
    expect(map.persons[0].fields).toMatchObject({ title_nl: 'Naam', death_date: 'Overleden' });
  });

  test.each([
    ['UTF-16 without a mark', Buffer.from('nr\tnaam\n1\tÉva\n', 'utf16le')],
    ['Mac OS Roman', Buffer.from('nr,naam\n1,H\x8el\x8fne\n', 'latin1')],
    ['Mac OS Roman without a byte that tells', Buffer.from('nr,naam\n1,H\x8elene\n2,Zo\x91\n', 'latin1')],
    ['Windows-1251', Buffer.from('nr,naam\n1,\xc0\xed\xed\xe0\n', 'latin1')],
    ['code page 850', Buffer.from('nr,naam\n1,Ren\x82\n', 'latin1')],
    ['a line that is not UTF-8', Buffer.from('nr,naam\n1,Zo\xc3\xab\n2,Ren\xe9\n', 'latin1')],
  ])('does not take %s for Windows-1252', async (_, content) => {
    const own = await mkdtemp(join(folder, 'case-'));
    await writeFile(join(own, 'list.csv'), content);
    const { code, stderr } = await runApiHere([
      'import',
      join(own, 'list.csv'),
      '--draft',
      join(own, 'map.yaml'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /: (?:is not UTF-8 text, nor Dutch or English in Windows-1252|looks like UTF-16 without a byte order mark|is not UTF-8, but)/,
    );
  });

  test('reads UTF-16 and cells with line ends', async () => {
    const text = '\ufeffname\tborn\r\nZoë\t1850\r\n"A\nB"\t1851\r\n';
    const { stdout } = await draft({ 'artists.tsv': Buffer.from(text, 'utf16le') });
    expect(stdout).toMatch(/^artists\.tsv: 2 rows; 2 columns used\n/);
  });

  test('finds decimal commas, cities and pictures', async () => {
    const { map, stdout } = await draft({
      'places.csv':
        'id,label,plaats,coord,foto\nQ1,Waag,Delft,Point(4.36 52.01),https://a.test/1.jpg\nQ2,Werf,Leiden,,\n',
      'adressen.csv': 'nummer;plaatsnaam;postcode;lat;lon\n1;Beurs;1012 AB;52,3754;4,8963\n',
    });
    expect(map.locations[0].fields).toEqual({
      name_nl: 'label',
      name_en: 'label',
      city: 'plaats',
      image_url: 'foto',
    });
    expect(map.locations[1].fields).toMatchObject({
      name_nl: 'plaatsnaam',
      latitude: 'lat',
      longitude: 'lon',
    });
    expect(stdout).toMatch(/: 0 persons, 0 subjects, 3 locations and 0 events\.\n$/);
  });

  test('refers to records of other tables, and keeps texts that are none of them, or several', async () => {
    const { map, stdout } = await draft({
      'thesaurus.csv':
        'Term,Bovenliggende term,URI\nVaren,,http://a.test/1\nWalvisvaart,Varen,http://a.test/2\nX,Y,http://a.test/3\n',
      'boek.xlsx': {
        Personen: 'Voornaam,Achternaam,Geboren\nAnna,Vos,1850\nPiet,Wit,1861\nPiet,Wit,1900\n',
        Reizen:
          'Code,Schip,Auteur,Vertrokken,Trefwoorden\nR1,Hoop,Anna Vos,1880-04-02,Varen;Walvisvaart\nR2,Lust,Piet Wit,1881-03-01,Varen\n',
        _notes: 'a,b\nc,d\n',
        Leeg: 'a,b\n',
      },
    });
    expect(Object.keys(map.sources)).toEqual(['thesaurus', 'personen', 'reizen']);
    expect(map.persons).toHaveLength(1);
    expect(map.subjects).toHaveLength(1);
    expect(map.subjects[0].fields).toEqual({
      name_nl: 'Term',
      name_en: 'Term',
      parent: { column: 'Bovenliggende term', otherwise: 'keep' },
    });
    expect(map.events[0]).toMatchObject({
      id: 'Code',
      fields: {
        persons: { column: 'Auteur', otherwise: 'keep' },
        subjects: { column: 'Trefwoorden', list: ';', otherwise: 'keep' },
      },
    });
    expect(stdout).toContain('subjects.parent: 1 text not valid there, kept in _parent, such as "Y"');
    expect(stdout).toContain('events.persons: 1 text not valid there, kept in _persons, such as "Piet Wit"');
  });

  test('names all columns: with a field, in a comment, or without a text', async () => {
    const { map, text, stdout } = await draft({
      'dump.csv':
        'object_id,titel,titel,,empty,vrij veld\nP-1,Kaart,Map,x,,a: b #c\nP-2,Prent,Print,,,"{ d"\n',
    });
    expect(text).toMatch(
      /from: dump +# IS A ROW AN EVENT\? nothing says what it is; otherwise move this rule$/m,
    );
    for (const [left, why] of [
      ['titel (2)', 'its header says name, but "titel" is more usual: "Map", "Print"'],
      ['column 4', 'no known header: "x"'],
      ['vrij veld', 'no known header: "a: b #c", "{ d"'],
    ]) {
      expect(text.replaceAll(/ +/g, ' ')).toContain(`# FIELD: ${left} # ${why}\n`);
    }
    expect(text).toContain('# without a text: empty');
    expect(map.events[0].fields).toEqual({ name_nl: 'titel', name_en: 'titel' });
    expect(stdout).toBe(
      'dump.csv: 2 rows; 1 column used\n' +
        '  4 kept with _ before the name: object_id, titel (2), column 4, vrij veld\n' +
        `  1 without a text: empty\n${stdout.split('\n').at(-2)}\n`,
    );
  });

  test('is a map also of a table of which it knows nothing', async () => {
    const { map, stdout } = await draft({ 'data.csv': 'a,b\nx,y\nx,y\nq,\n' });
    expect(map.events[0]).toEqual({
      from: 'data',
      each: { join: [{ column: 'a' }, { column: 'b' }] },
      fields: { _a: 'a' },
    });
    expect(stdout).toMatch(/: 0 persons, 0 subjects, 0 locations and 2 events\.\n$/);
  });
});
