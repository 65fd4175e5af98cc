import { KINDS, LANGUAGES, recordSchemas } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED } from '../support/fixture/fixture-bundle.ts';
import { type Json, walkArchive } from '../support/walk.ts';
import { ABBREVIATED_EVENT, FILE, TABLES, type Table } from './tables.ts';

describe('packages/types has the tables of the contract', () => {
  test.each(KINDS)('%s', (kind) => {
    expect(Object.keys(recordSchemas[kind].shape)).toEqual(Object.keys(TABLES[kind]));
  });
});

describeFixture('fields', (archive) => {
  const records = { en: {}, nl: {} } as Record<'en' | 'nl', Record<string, Json[]>>;
  beforeAll(async () => {
    for (const language of LANGUAGES) records[language] = await walkArchive(archive(), language);
  });

  describe.each(LANGUAGES)('in %s', (language) => {
    describe.each(KINDS)('a %s has', (kind) => {
      test('the fields of its table, in order, and no others', () => {
        expect(records[language][kind]).toHaveLength(SERVED[kind]);
        for (const record of records[language][kind] ?? []) {
          expect(Object.keys(record)).toEqual(Object.keys(TABLES[kind]));
        }
      });

      test.each(Object.entries(TABLES[kind]))('%s as in the contract', (field, check) => {
        for (const record of records[language][kind] ?? []) check(record[field], language);
      });
    });

    test('an abbreviated event has the fields of its table', () => {
      const found = (records[language]['location'] ?? []).flatMap(({ events }) => events as Json[]);
      expect(found.length).toBeGreaterThan(5);
      expectTable(ABBREVIATED_EVENT, found, language);
    });

    test('a file object has the fields of its table', () => {
      const found = KINDS.flatMap((kind) => records[language][kind] ?? []).flatMap((record) =>
        [record['image'], record['main_image'], ...(record['files'] as Json[])].filter((file) => !!file),
      ) as Json[];
      expect(found.length).toBeGreaterThan(8);
      expectTable(FILE, found, language);
    });
  });
});

function expectTable(table: Table, found: readonly Json[], language: 'en' | 'nl'): void {
  for (const each of found) {
    expect(Object.keys(each)).toEqual(Object.keys(table));
    for (const [field, check] of Object.entries(table)) check(each[field], language);
  }
}
