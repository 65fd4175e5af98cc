import { KINDS, type Kind } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { lookUpReferences } from '../../apps/api/testing/look-up-references.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { FIXTURE } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { getJson, type Json, type Page, walkPages } from '../support/walk.ts';

/** The published records of the fixture. */
const RECORDS = KINDS.flatMap((kind) =>
  FIXTURE[kind].filter(({ published }) => published !== false).map((record) => ({ kind, record })),
);

/** The kind of record that each field refers to. */
const FIELDS: Readonly<Record<string, Kind>> = {
  person: 'person',
  subject: 'subject',
  under: 'subject',
  parent: 'subject',
  location: 'location',
  related: 'location',
  event: 'event',
};

describeFixture('references, both ways', (archive) => {
  const find = async (q: string): Promise<Json[]> => {
    const pages = await walkPages(archive(), `/en/api/search?q=${encodeURIComponent(q)}`);
    const results = pages.flatMap((page) => page.results);
    expect(pages[0]?.count).toBe(results.length);
    return results.map(({ instance }) => instance as Json);
  };

  describe.each(Object.entries(FIELDS))('%s:', (field, kind) => {
    test('finds the same references as in the bundle, by uuid and by id', async () => {
      let found = 0;
      for (const { record } of RECORDS.filter((line) => line.kind === kind)) {
        const expected = lookUpReferences(RECORDS, field, record.uuid);
        const uuids = (await find(`${field}:${record.uuid}`)).map(({ uuid }) => uuid);
        expect(new Set(uuids), `${field}:${record.id}`).toEqual(expected);
        expect((await find(`${field}:${record.id}`)).map(({ uuid }) => uuid)).toEqual(uuids);
        found += uuids.length;
      }
      expect(found).toBeGreaterThan(0);
    });

    test('finds nothing for unknown records', async () => {
      const page = await getJson<Page>(archive(), `/en/api/search?q=${field}:${uuidOf(kind, 987654)}`);
      expect(page).toMatchObject({ count: 0, results: [] });
    });
  });

  test('can be combined with a kind and other clauses', async () => {
    const ids = async (q: string) => (await find(q)).map(({ id }) => id);
    expect(await ids(`kind:event person:${uuidOf('person', 101).toUpperCase()}`)).toEqual([301, 305]);
    expect(await ids(`kind:event person:101 saturnus`)).toEqual([301]);
    expect(await ids(`person:101 person:109`)).toEqual([301]);
  });

  test('an invalid uuid or id is rejected', async () => {
    const response = await archive().fetch('/en/api/search?q=person:huygens');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: 'Invalid value for field "person": "huygens" is not a reference to a record.',
      expected: 'the UUID or id of a record',
    });
  });
});
