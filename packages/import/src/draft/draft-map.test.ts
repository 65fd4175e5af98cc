import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultList } from '@archiefkast/bundle';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOutTables } from '../import-tables.ts';
import { readSources } from '../open-sources.ts';
import { readMap } from '../read-map.ts';
import { makeRecords } from '../records.ts';
import { draftMap } from './draft-map.ts';

const FILES = ['list', 'persons', 'objects', 'places', 'thesaurus'];
const HEADERS = (
  'nr|id|id|naam|title|title_nl|title @en|voornaam|achternaam|geboren|overleden|date|begin|einde|Artist Name|artist id|maker|keywords|' +
  'parent|plaats|city|lat|lon|postcode|omschrijving|description_nl|samenvatting|image|rights|credit|gender|same_as|image_url|content_nl|' +
  'subjects|persons|location|related_locations|A: b|#c|{d|"e"|_note||Opmerkingen'
).split('|');
const TEXTS = (
  '||1|2|3|007|P-1|9007199254740993|Anna Vos|Anna Vos|Vos, Anna|Berg, Jan van den|Mol, N.V.|unknown|NULL|1850|1850-01-02|12-31-1999|' +
  '31-12-1999|3 mei 1700|c. 1650|1898/9|1850.0|1850-01-01T00:00:00|a; b|a / b|silver, gold|52,1|999|https://a.test/1.jpg|' +
  'https://a.test/x|<p>x</p>|a\u0001b|a\u000bb|é|v|Female|Delft|Delft|Kunst > X|a: b|# c|yes|~|- x'
).split('|');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-drafts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Numbers that look random, and are the same in every run. */
function createRandom(seed: number): <T>(items: readonly T[]) => T {
  let state = seed;
  return (items) => {
    state = (state * 48_271) % 2_147_483_647;
    const item = items[state % items.length];
    if (item === undefined) throw new Error('expected an item');
    return item;
  };
}

test('every draft of 60 sets of tables is a map by which they can be imported', async () => {
  const pick = createRandom(7);
  const some = (most: number) => Array.from({ length: pick([...Array(most).keys()]) + 1 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  for (let index = 0; index < 60; index++) {
    const paths = some(3).map((_, file) => join(folder, `${pick(FILES)}-${file}.csv`));
    for (const path of paths) {
      const headers = some(9).map(() => pick(HEADERS));
      const cell = (header: string, row: number) =>
        /^(?:nr|id)$/.test(header) && pick([0, 1]) ? `${row}` : pick(TEXTS);
      const rows = some(8).map((_, row) => ['x', ...headers.map((header) => cell(header, row))]);
      const lines = [['a', ...headers], ...rows].map((cells) => cells.map(quoted).join(','));
      await writeFile(path, lines.join('\n'));
    }
    const map = await draftMap(paths, new FaultList('import'));
    await writeFile(join(folder, 'map.yaml'), map);
    const faults = new FaultList('import');
    const openMap = await readMap(join(folder, 'map.yaml'));
    const sources = await readSources(paths, openMap, faults, () => {});
    const made = makeRecords(sources, openMap, faults);
    await expect(
      layOutTables(made, openMap, faults, () => {}),
      map,
    ).resolves.toBeDefined();
  }
});
