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
  test('finds persons by names of columns in any style, in Dutch or English', async () => {
    const { map } = await draft({
      'lijst.csv':
        'Nr.;Naam kunstenaar;M/V;Geslacht;Geboorte-datum;PlaatsVanOverlijden\n' +
        '1;Vos, Anna;v;Vrouw;12 mei 1850;Delft\n2;Wit, Piet;m;man;[1861];Leiden\n',
    });
    expect(map.persons[0]).toMatchObject({
      id: 'Nr.',
      fields: {
        title_nl: {
          join: [
            { column: 'Naam kunstenaar', after: ', ' },
            { column: 'Naam kunstenaar', before: ', ' },
          ],
        },
        gender: { column: 'Geslacht', replace: { Vrouw: 'female', man: 'male' } },
        birth_date: { column: 'Geboorte-datum', date: 'D MMMM YYYY', otherwise: 'keep' },
        death_place: 'PlaatsVanOverlijden',
        '_M/V': 'M/V',
      },
    });
  });

  test('makes one record of rows with the same id, and events of terms', async () => {
    const { map, stdout } = await draft({
      'staff.csv':
        'PersonID,DisplayName,Gender,BirthYear,Position,PositionBeginDate,PositionEndDate\n' +
        '8,Ann Lee,Female,1900,Curator,7/1/1932,8/31/1934\n8,Ann Lee,Female,1900,Director,1/1/1946,12/1/1954\n' +
        '9,Bo Ek,Male,1911,Curator,1/2/1935,\n',
    });
    expect(map.persons[0].each).toBe('PersonID');
    expect(map.events[0].fields).toMatchObject({
      date_start: { column: 'PositionBeginDate', date: 'M/D/YYYY' },
      name_en: { join: [{ column: 'DisplayName' }, { column: 'Position' }], with: ', ' },
      persons: 'PersonID',
    });
    expect(stdout).toMatch(/: 2 persons, 0 subjects, 0 locations and 3 events\.\n$/);
  });

  test('reads ranges of years, and years written as decimal numbers', async () => {
    const { map } = await draft({
      'makers.csv': 'name,dates,x\nA,1853–1890,1\nB,Dutch 1601–1670,2\nC,born 1930,3\n',
      'deelnemers.csv': 'naam,geboortejaar\nD,1850.0\nE,1851.0\n',
      'events.csv': 'title,date\nF,1885-1906\nG,1901-1902\nH,1903\n',
    });
    expect(map.persons[0].fields).toMatchObject({
      birth_date: { column: 'dates', before: '–', otherwise: 'keep' },
      death_date: { column: 'dates', after: '–' },
    });
    expect(map.persons[1].fields.birth_date).toEqual({ column: 'geboortejaar', before: '.' });
    expect(map.events[0].fields).toMatchObject({
      date_start: { column: 'date', before: '-' },
      date_end: { column: 'date', after: '-' },
    });
  });

  test('asks which of day and month is first where dates do not show it', async () => {
    const { text } = await draft({ 'people.csv': 'name,born\nA,1/2/1850\nB,3/4/1851\n' });
    expect(text).toContain('IS THE DAY FIRST? M/D/YYYY would fit as well');
  });

  test('finds a header below titles, the delimiter and the encoding', async () => {
    const { map } = await draft({
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
    expect(map.archive.partial_dates).toBe('first-day');
    expect(map.persons[0].fields).toMatchObject({ title_nl: 'Naam', death_date: 'Overleden' });
  });

  test('reads UTF-16 and cells with line ends', async () => {
    const text = '\ufeffname\tborn\r\nZoë\t1850\r\n"A\nB"\t1851\r\n';
    const { stdout } = await draft({ 'artists.tsv': Buffer.from(text, 'utf16le') });
    expect(stdout).toMatch(/^artists\.tsv: 2 rows; 2 columns used\n/);
  });

  test('finds coordinates in one column, decimal commas, cities and pictures', async () => {
    const { map, stdout } = await draft({
      'places.csv':
        'id,label,plaats,coord,foto\nQ1,Waag,Delft,Point(4.36 52.01),https://a.test/1.jpg\nQ2,Werf,Leiden,,\n',
      'adressen.csv': 'nummer;naam;postcode;lat;lon\n1;Beurs;1012 AB;52,3754;4,8963\n',
    });
    expect(map.locations[0].fields).toMatchObject({
      city: 'plaats',
      latitude: { column: 'coord', after_last: ' ', before: ')' },
      longitude: { column: 'coord', after: '(', before: ' ' },
      image_url: 'foto',
    });
    expect(stdout).toMatch(/: 0 persons, 0 subjects, 3 locations and 0 events\.\n$/);
  });

  test('makes locations of places; of the same name with other coordinates, several', async () => {
    const { map, stdout } = await draft({
      'items.csv':
        'id,title,date,location,lat,lon\n1,A,1900,Delft,52.01,4.35\n2,B,1901,Delft,52.02,4.36\n3,C,1902,,,\n',
    });
    const parts = [{ column: 'location' }, { column: 'lat' }, { column: 'lon' }];
    expect(map.locations[0].each).toEqual({ join: parts, with: ', ' });
    expect(map.events[0].fields.location).toEqual({ join: parts, with: ', ' });
    expect(stdout).toMatch(/: 0 persons, 0 subjects, 2 locations and 3 events\.\n$/);
  });

  test('refers to records of other tables by id or name', async () => {
    const { map } = await draft({
      'thesaurus.csv':
        'Term,Bovenliggende term,URI\nVaren,,http://a.test/1\nWalvisvaart,Varen,http://a.test/2\n',
      'boek.xlsx': {
        Personen: 'Voornaam,Achternaam,Geboren\nAnna,Vos,1850\nPiet,Wit,1861\n',
        Reizen:
          'Code,Schip,Kapitein,Vertrokken,Trefwoorden\nR1,Hoop,Anna Vos,1880-04-02,Varen;Walvisvaart\nR2,Lust,Piet Wit,1881-03-01,Varen\n',
        _notes: 'a,b\nc,d\n',
        Leeg: 'a,b\n',
      },
    });
    expect(Object.keys(map.sources)).toEqual(['thesaurus', 'personen', 'reizen']);
    expect(map.subjects).toHaveLength(1);
    expect(map.subjects[0].fields).toMatchObject({
      name_nl: 'Term',
      parent: 'Bovenliggende term',
      same_as: 'URI',
    });
    expect(map.persons).toHaveLength(1);
    expect(map.events[0]).toMatchObject({
      id: 'Code',
      fields: {
        name_nl: 'Schip',
        date: 'Vertrokken',
        persons: 'Kapitein',
        subjects: { column: 'Trefwoorden', list: ';' },
      },
    });
  });

  test('names all columns: with a field, kept, or without a text', async () => {
    const { text, stdout } = await draft({
      'dump.csv':
        'object_id,titel,titel,,empty,vrij veld\nP-1,Kaart,Map,x,,a: b #c\nP-2,Prent,Print,,,"{ d"\n',
    });
    for (const kept of [
      '_object_id: object_id',
      '_titel (2): titel (2)',
      '_column 4: column 4',
      '_vrij veld: vrij veld',
    ]) {
      expect(text).toContain(`      ${kept} `);
    }
    expect(text).toContain('# without a text: empty');
    expect(stdout).toBe(
      'dump.csv: 2 rows; 1 column used\n' +
        '  4 kept with _ before the name: object_id, titel (2), column 4, vrij veld\n' +
        `  1 without a text: empty\n${stdout.split('\n').at(-2)}\n`,
    );
  });
});
