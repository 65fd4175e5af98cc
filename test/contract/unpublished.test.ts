import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { UNPUBLISHED } from '../support/fixture/fixture-bundle.ts';
import { SECRET } from '../support/fixture/names.ts';
import { getJson, walkRecords, walkTexts } from '../support/walk.ts';

const QUERIES = [
  SECRET,
  ...['last_name', 'first_name', 'title', 'title_nl', 'title_en', 'name', 'name_nl', 'name_en'].map(
    (field) => `${field}:${SECRET}`,
  ),
  ...['city', 'street', 'birth_place'].map((field) => `${field}:${SECRET}`),
  ...UNPUBLISHED.map(({ line }) => `uuid:${line.uuid}`),
  ...UNPUBLISHED.map(({ line, kind }) => `id:${line.id} kind:${kind}`),
];

describeFixture('unpublished records', (archive) => {
  test('the fixture has unpublished records of every kind', () => {
    expect(new Set(UNPUBLISHED.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  describe.each(LANGUAGES)('in %s', (language) => {
    test('no page of any list contains their texts or uuids, at any depth', async () => {
      const words = [SECRET, ...UNPUBLISHED.map(({ line }) => line.uuid)];
      for (const list of [...KINDS.map((kind) => COLLECTIONS[kind]), 'search', 'search?q=huygens']) {
        for (const text of await walkTexts(archive(), `/${language}/api/${list}`)) {
          for (const word of words) expect(text.toLowerCase()).not.toContain(word);
        }
      }
    });

    test('no list, parent or location names their ids', async () => {
      for (const { kind, line } of UNPUBLISHED) {
        const ids = (await walkRecords(archive(), `/${language}/api/${COLLECTIONS[kind]}`)).map(
          ({ id }) => id,
        );
        expect(ids).not.toContain(line.id);
      }
      for (const { parent } of await walkRecords(archive(), `/${language}/api/subjects`)) {
        expect(parent).not.toBe(50);
      }
      for (const { location_events } of await walkRecords(archive(), `/${language}/api/locations`)) {
        expect(location_events).not.toContain(300);
      }
    });

    test.each(UNPUBLISHED)('$kind $line.id has no detail', async ({ kind, line }) => {
      const response = await archive().fetch(`/${language}/api/${COLLECTIONS[kind]}/${line.uuid}`);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain(SECRET);
    });

    test.each(QUERIES)('search does not find them: %s', async (q) => {
      const page = await getJson(archive(), `/${language}/api/search?q=${encodeURIComponent(q)}`);
      expect(page).toMatchObject({ count: 0, results: [], total: 59 });
    });
  });
});
