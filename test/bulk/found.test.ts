import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createDerivedFiles } from '../../apps/api/dist/derived/derived-files.js';
import { followEditions } from '../../apps/api/dist/edition/follow-editions.js';
import { findHits, findPositions } from '../../apps/api/dist/http/routes/search.js';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { openDatabase } from '../support/database-of.ts';
import { readCsv } from '../support/read-csv.ts';
import { getJson, type Json, type Page } from '../support/walk.ts';

const QUERIES = [
  'q=nederlands',
  'q=name:e&sort=name',
  'q=-leiden',
  'sort=-date',
  'q=last_name:nummer&sort=id',
];

interface Feature {
  properties: { uuid: string };
}

describeFixture('files of query results', (archive) => {
  const text = async (path: string) => {
    const response = await archive().fetch(path);
    expect(response.status, path).toBe(200);
    return await response.text();
  };
  /** The uuids of the hits of a kind, in the order of search. */
  const hitsOf = async (language: string, query: string, kind: Kind) => {
    const uuids: string[] = [];
    for (let link: string | null = `/${language}/api/search?${query}`; link !== null; ) {
      const page: Page = await getJson<Page>(archive(), link);
      const hits = page.results.filter(({ type }) => type === kind);
      uuids.push(...hits.map(({ instance }) => String((instance as Json)['uuid'])));
      link = page.next;
    }
    return uuids;
  };
  const uuidOfLine = (line: string) => String(JSON.parse(line).uuid);

  for (const language of LANGUAGES) {
    test.each(QUERIES)(
      `${language}: %s as JSONL, CSV and GeoJSON: the content of the dumps, in the order of search`,
      async (query) => {
        let found = 0;
        for (const kind of KINDS) {
          const uuids = await hitsOf(language, query, kind);
          found += uuids.length;
          const whole = `/${language}/api/dump/${COLLECTIONS[kind]}`;
          // A field that the records of a file do not have is an error, not a file without records.
          if (uuids.length === 0 && query.includes('name:')) {
            const refused = await archive().fetch(`${whole}.jsonl?${query}`);
            expect([refused.status, (await refused.json()).type]).toEqual([
              400,
              expect.stringContaining('/problems/invalid-query'),
            ]);
            continue;
          }

          const lines = (await text(`${whole}.jsonl`)).split('\n').slice(0, -1);
          const lineOf = new Map(lines.map((line) => [uuidOfLine(line), `${line}\n`]));
          expect(await text(`${whole}.jsonl?${query}`)).toBe(uuids.map((uuid) => lineOf.get(uuid)).join(''));

          const csv = await text(`${whole}.csv?${query}`);
          const [header, ...rows] = readCsv(await text(`${whole}.csv`));
          const rowOf = new Map(rows.map((row) => [row[0], row]));
          expect(readCsv(csv)).toEqual([header, ...uuids.map((uuid) => rowOf.get(uuid))]);

          if (kind !== 'location' && kind !== 'event') continue;
          const map = `/${language}/api/${COLLECTIONS[kind]}.geojson`;
          const features = (JSON.parse(await text(map)) as { features: Feature[] }).features;
          const featureOf = new Map(features.map((feature) => [feature.properties.uuid, feature]));
          expect(JSON.parse(await text(`${map}?${query}`))).toEqual({
            type: 'FeatureCollection',
            features: uuids.map((uuid) => featureOf.get(uuid)),
          });
        }
        expect(found).toBeGreaterThan(2);
      },
    );
  }

  test('CSV rows have the same bytes as in the dump', async () => {
    const whole = await text('/en/api/dump/subjects.csv');
    expect(await text('/en/api/dump/subjects.csv?sort=id')).toBe(whole);
    expect(await text('/en/api/dump/subjects.csv?q=nobodyatall')).toBe(
      whole.slice(0, whole.indexOf('\n') + 1),
    );
  });

  test('a query and a bounding box are combined', async () => {
    const everywhere = '-180,-90,180,90';
    const [both, box] = await Promise.all(
      [`q=leiden&bbox=${everywhere}`, `bbox=${everywhere}`].map(
        async (query) =>
          JSON.parse(await text(`/en/api/locations.geojson?${query}`)) as { features: Feature[] },
      ),
    );
    const uuids = (await hitsOf('en', 'q=leiden has:coordinates', 'location')).toSorted();
    expect(uuids.length).toBeGreaterThan(0);
    expect(both?.features.map(({ properties }) => properties.uuid).toSorted()).toEqual(uuids);
    expect(box?.features.length).toBeGreaterThan(uuids.length);
  });

  test.each([
    ['/en/api/dump/persons.csv?q=lastname:x', 'invalid-query'],
    ['/en/api/events.geojson?q=', undefined],
    ['/nl/api/dump/events.jsonl?sort=size', 'invalid-sort'],
  ])('%s: %s', async (path, problem) => {
    const response = await archive().fetch(path);
    expect(response.status).toBe(problem === undefined ? 200 : 400);
    const type = problem && `${BASE_URL}/problems/${problem}`;
    expect((JSON.parse(await response.text()) as { type: string }).type).toBe(type ?? 'FeatureCollection');
  });

  test('too many records for a file are rejected, but the whole file is not', async () => {
    const database = openDatabase(archive().database);
    const derivedFolder = join(archive().database.folder, 'derived');
    const files = createDerivedFiles(database, { derivedFolder });
    const editions = followEditions(database, files, pino({ level: 'silent' }));
    try {
      await editions.start();
      const [open] = editions.open.all();
      if (!open) throw new Error('no edition is served');
      const { signal } = new AbortController();
      const requestOf = (query: string) => ({
        language: 'en' as const,
        parameters: new URLSearchParams(query),
        preferredLanguage: () => 'en' as const,
        accept: '',
        query: new URLSearchParams(),
        served: open,
        path: '',
        segment: () => '',
        open,
        signal,
      });
      const find = (query: string) => findPositions(requestOf(query), { kind: 'person', most: 3 });
      await expect(find('q=last_name:nummer')).rejects.toMatchObject({
        problem: 'too-many-hits',
        message: expect.stringMatching(/^\d+ records match; the limit is \d+\.$/),
        expected: 'a more specific query, or the complete file, without q, bbox and sort',
      });
      expect(await find('q=huygens')).not.toHaveLength(0);
      expect(await find('')).toBeUndefined();
      // References are of all kinds, and have no complete file.
      await expect(findHits(requestOf(''), { most: 3 })).rejects.toMatchObject({
        problem: 'too-many-hits',
        expected: 'a more specific query',
      });
    } finally {
      await editions.stop();
      await database.destroy();
    }
  });
});
