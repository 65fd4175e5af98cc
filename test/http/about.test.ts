import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveIndexSchema, COLLECTIONS, KINDS, suggestionsSchema } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { startApi } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED, TOTAL, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { getJson, type Json } from '../support/walk.ts';

const ARCHIVE = {
  title: { nl: 'Proefarchief', en: 'Test archive' },
  description: { nl: 'Om te proberen', en: 'To try' },
  publisher: { nl: 'Wij', en: 'We' },
  licence: { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  homepage: 'https://example.test/',
};

describeFixture('the description of an archive', (archive) => {
  describe('the index', () => {
    test.each(['/en/api', '/en/api/', '/nl/api'])('%s describes the archive', async (path) => {
      const language = path.startsWith('/nl') ? 'nl' : 'en';
      const index = archiveIndexSchema.parse(await getJson(archive(), path));
      expect(index).toMatchObject({
        title: ARCHIVE.title[language],
        description: null,
        publisher: null,
        licence: null,
        homepage: null,
        language,
        edition: { id: 1 },
        total: TOTAL,
      });
      for (const kind of KINDS) expect(index.counts[COLLECTIONS[kind]]).toBe(SERVED[kind]);
    });
  });

  describe('suggestions', () => {
    const suggest = async (query: string) =>
      suggestionsSchema.parse(await getJson(archive(), `/en/api/suggest?${query}`));

    test('are the values with a word that begins with the prefix, most frequent first', async () => {
      const { field, prefix, values } = await suggest('field=city&prefix=LEI');
      expect({ field, prefix }).toEqual({ field: 'city', prefix: 'LEI' });
      expect(values).toEqual([
        { value: 'Leiden', count: 2, kind: 'location' },
        { value: 'Leiderdorp', count: 1, kind: 'location', uuid: uuidOf('location', 202) },
      ]);
    });

    test('are names of all records if no field is given, each record once', async () => {
      const { field, values } = await suggest('prefix=chr');
      expect(field).toBeNull();
      expect(values.map(({ value }) => value)).toEqual(['Christian Huygens']);
      expect(values.map(({ kind, uuid }) => [kind, uuid])).toEqual(
        values.map(() => ['person', uuidOf('person', 101)]),
      );
      expect((await suggest('prefix=nederlands')).values.map(({ value }) => value)).toContain(
        'Alleen Nederlands',
      );
    });

    test('are at most ten; an empty prefix gives values with any word', async () => {
      const { prefix, values } = await suggest('');
      expect(prefix).toBe('');
      expect(values).toHaveLength(10);
      const counts = values.map(({ count }) => count);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    });

    test.each([
      ['/nl/api/suggest?field=x', 'No suggestions for field "x".', undefined],
      [
        '/en/api/suggest?field=last_nam',
        'No suggestions for field "last_nam"; did you mean "last_name"?',
        'last_name',
      ],
      ['/en/api/suggest?field=kind', 'No suggestions for field "kind".', undefined],
      [
        `/en/api/suggest?field=city&prefix=${'a'.repeat(201)}`,
        'The parameter "prefix" is too long.',
        undefined,
      ],
    ])('%s is refused: %s', async (path, detail, nearest) => {
      const response = await archive().fetch(path);
      expect(response.status).toBe(400);
      const problem = (await response.json()) as Json;
      expect(problem).toMatchObject({ title: expect.any(String), detail, expected: expect.any(String) });
      expect(problem['type']).toMatch(/\/problems\/invalid-suggestion$/);
      if (detail.includes('field') || nearest) expect(problem['fields']).toContain('last_name');
      expect(problem['nearest']).toBe(nearest);
    });
  });
});

describe('the index of an archive with archive.json', () => {
  test('has the texts of archive.json in the language of the path, as has the manifest', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'archive-about-'));
    await writeBundle(folder, {});
    await writeFile(join(folder, 'archive.json'), JSON.stringify(ARCHIVE));
    const archive = await startApi({ engine: 'sqlite', bundle: folder });
    try {
      expect(await getJson(archive, '/nl/api/')).toMatchObject({
        title: 'Proefarchief',
        description: 'Om te proberen',
        publisher: 'Wij',
        licence: ARCHIVE.licence,
        homepage: ARCHIVE.homepage,
        total: 0,
      });
      const manifest = await getJson<Json>(archive, '/en/api/dump/manifest.json');
      expect(manifest['licence']).toEqual(ARCHIVE.licence);
      const geojson = await getJson(archive, '/en/api/locations.geojson');
      expect(geojson).toEqual({ type: 'FeatureCollection', features: [] });
      const csv = await archive.fetch('/en/api/dump/subjects.csv');
      expect(await csv.text()).toMatch(/^uuid,id,name,[\w,]+\r\n$/);
      const jsonl = await archive.fetch('/en/api/dump/subjects.jsonl');
      expect(await jsonl.text()).toBe('');
    } finally {
      await archive.stop();
      await rm(folder, { recursive: true });
    }
  });
});
