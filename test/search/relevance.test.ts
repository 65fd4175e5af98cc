import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, it, type SuiteOptions } from 'vitest';
import type { IndexedRecord } from '../../apps/api/src/search/build/record-values.ts';
import { buildSearchIndex } from '../../apps/api/src/search/build/write-index.ts';
import { parseQuery } from '../../apps/api/src/search/index.ts';
import { openSearchIndex } from '../../apps/api/src/search/thread/open-index.ts';
import type { SearchIndex } from '../../apps/api/src/search/thread/search-index.ts';
import { needs, placeOf } from '../support/programs.ts';
import { SAMPLE } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A query, and the first hits that a reader would expect. */
type Wanted = [q: string, ...hits: string[]];

const IN_THE_SAMPLE: Wanted[] = [
  ['last_name:huygens', 'person 2', 'person 3'],
  ['last_name:ruysch', 'person 34', 'person 35'],
  ['last_name:RUIJSCH', 'person 34', 'person 35'],
  ['last_name:Pool - Ruysch', 'person 35'],
  ['last_name:meyer', 'person 89'],
  ['first_name:jan last_name:musschenbroek', 'person 12'],
  ['title:voc', 'person 84'],
  ['title_en:company', 'person 84'],
  ['infix:van last_name:leeuwenhoek', 'person 4'],
  ['city:haag name:den haag', 'location 29'],
  ['name:leiden', 'location 7', 'event 90'],
  ['name:kerk', 'location 8', 'location 9', 'location 5', 'location 3'],
  ['name_en:church', 'location 8', 'location 9', 'location 3'],
  ['birth_date:1629', 'person 2'],
  ['birth_date:1629..1632', 'person 2', 'person 4', 'person 7'],
  ['death_date:1677', 'person 7'],
  ['gender:female birth_date:1640..1660', 'person 38'],
  ['kind:location street:rapenburg', 'location 1', 'location 2', 'location 3', 'location 6'],
  ['kind:subject telescope', 'subject 7'],
  ['kind:event leiden', 'event 90'],
  ['huygens', 'person 3', 'person 2', 'event 52'],
  ['Christiaan Huygens', 'person 2'],
  ['leiden', 'location 7'],
  ['leeuwenhoek', 'person 4', 'event 66'],
  ['spinoza', 'person 7', 'event 67'],
  ['slingeruurwerk', 'event 52', 'person 2'],
  ['saturnus', 'event 49', 'person 2'],
  ['rembrandt', 'event 33', 'person 36'],
  ['microscope', 'subject 3', 'person 4', 'person 27'],
  ['"Traité de la lumière"', 'event 72'],
  ['traite lumiere', 'event 72'],
  ['compagnie', 'event 14', 'person 84'],
];

const IN_AMSTERDAM: Wanted[] = [
  ['last_name:vries', 'person 14', 'person 171', 'person 426'],
  ['last_name:bosch', 'person 381', 'person 960', 'person 991', 'person 2300', 'person 1962', 'person 522'],
  ['last_name:tulp', 'person 1626', 'person 2750', 'person 722'],
  ['last_name:witsen-huydecoper', 'person 54'],
  ['last_name:ruysch', 'person 367', 'person 805', 'person 1102'],
  ['last_name:ruijsch', 'person 367', 'person 805', 'person 1102'],
  ['last_name:eys', 'person 793', 'person 1024', 'person 1788', 'person 482'],
  ['last_name:fabritius', 'person 1403', 'person 2366'],
  ['title:rembrandt', 'person 2430'],
  ['title:hals', 'person 324', 'person 1108'],
  ['title:"van den vondel"', 'person 1462'],
  ['city:den haag', 'location 1129'],
  ['city:zutphen', 'location 1'],
  ['name:westerkerk', 'location 876'],
  ['name:kerk', 'location 168', 'location 178', 'subject 9'],
  ['name:portret', 'subject 1146'],
  ['birth_date:1606', 'person 861', 'person 2430'],
  ['kind:location rembrandt', 'location 1253', 'location 592'],
  ['kind:subject portret', 'subject 1146'],
  ['rembrandt', 'person 2430', 'location 1253', 'location 592', 'event 97'],
  ['rembrant', 'person 2430'],
  ['rembrandt van rijn', 'person 2430'],
  ['van rembrandt', 'person 2430'],
  ['geboorte van rembrandt', 'event 97'],
  ['joost van den vondel', 'person 1462'],
  ['van den vondel', 'person 1462'],
  ['jacob van ruisdael', 'person 276', 'event 667'],
  ['ruisdael jacob', 'person 276', 'event 667'],
  ['jan six', 'person 748', 'person 2149'],
  ['six jan', 'person 748', 'person 2149'],
  ['nicolaes tulp', 'person 1626', 'event 170'],
  ['dirck tulp', 'person 2750'],
  ['witsen nicolaes', 'person 1438', 'person 275'],
  ['hals frans', 'person 1108', 'event 95'],
  ['jan vermeer', 'person 1584', 'person 490'],
  ['johannes vermeer', 'person 2137'],
  ['pieter de hooch', 'person 717', 'event 104'],
  ['pieter van der hooch', 'person 717'],
  ['jan van der heyden', 'person 1313', 'event 10'],
  ['bartholomeus helst', 'person 423', 'person 1384'],
  ['govert flinck', 'person 2394', 'person 2375'],
  ['ferdinand bol', 'person 2438', 'person 2632', 'event 466'],
  ['jan de bray', 'person 56'],
  ['jan steen', 'person 2347', 'event 430'],
  ['van goyen', 'person 1433'],
  ['paulus potter', 'person 2525', 'event 272'],
  ['gerard de lairesse', 'person 985'],
  ['nicolaes pickenoy', 'person 2048'],
  ['cornelis de graeff', 'person 1126', 'event 515'],
  ['jacob van campen', 'person 1302', 'person 1153'],
  ['kerk oude', 'location 168', 'location 925'],
  ['nieuwe kerk', 'location 618'],
  ['amsterdam stadhuis', 'location 582'],
  ['wijk 18', 'event 510', 'event 366'],
  ['de nachtwacht', 'event 204'],
  ['frans hals', 'person 1108', 'event 95', 'person 324'],
  ['"frans hals"', 'person 1108', 'event 95'],
  ['oude kerk', 'location 168', 'location 925'],
  ['tulp', 'person 1626', 'person 2750', 'person 722', 'event 170'],
  ['vondel', 'person 1462'],
  ['nachtwacht', 'event 204'],
  ['night watch', 'person 2430'],
  ['amsterdam', 'subject 272', 'location 1214'],
  ['westerkerk', 'location 876'],
  ['ruysdael', 'person 1703', 'event 636'],
  ['id:100', 'person 100', 'subject 100', 'location 100', 'event 100'],
  ['uuid:000f320d', 'person 1'],
];

/** The published records of a bundle, as ranked in an edition. */
async function* readBundle(bundle: string, ids: Map<string, number>): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const lines = (await readFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), 'utf8')).trim().split('\n');
    const records: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
    const published = records.filter((record) => record['published'] !== false);
    published.sort((a, b) => Number(a['id']) - Number(b['id']));
    for (const [row, record] of published.entries()) {
      ids.set(`${kind} ${row + 1}`, Number(record['id']));
      yield { kind, record };
    }
  }
}

function describeBundle(name: string, bundle: string, table: Wanted[], options: SuiteOptions = {}): void {
  describe(`search in ${name}`, options, () => {
    const ids = new Map<string, number>();
    let folder: string;
    let index: SearchIndex;

    beforeAll(async () => {
      folder = await temporaryFolder();
      await buildSearchIndex(join(folder, 'index.sqlite'), readBundle(bundle, ids));
      index = await openSearchIndex(join(folder, 'index.sqlite'));
    });

    afterAll(async () => {
      await index.close();
      await rm(folder, { recursive: true });
    });

    it.each(table)('%j has the expected first hits', async (q, ...wanted) => {
      const { hits } = await index.search(parseQuery(q), 0, wanted.length);
      const found = hits.map(({ kind, position }) => `${kind} ${ids.get(`${kind} ${position}`)}`);
      expect(found).toEqual(wanted);
    });
  });
}

describeBundle('the sample archive', SAMPLE, IN_THE_SAMPLE);

describeBundle('the archive of Amsterdam', placeOf('real-archive'), IN_AMSTERDAM, needs('real-archive'));
