import { KINDS, LANGUAGES, recordSchemas } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED } from '../support/fixture/fixture-bundle.ts';
import { type Json, walkArchive } from '../support/walk.ts';
import { ABBREVIATED_EVENT, FILE, TABLES } from './tables.ts';

describe('packages/types has the tables of the contract', () => {
  test.each(KINDS)('%s', (kind) => {
    expect(Object.keys(recordSchemas[kind].shape)).toEqual(TABLES[kind]);
  });
});

// Their types are those of the OpenAPI document, which describes every page of every list.
describeFixture('fields', (archive) => {
  test.each(LANGUAGES)('are those of the contract, in order, in %s', async (language) => {
    const records = await walkArchive(archive(), language);
    for (const kind of KINDS) {
      expect(records[kind]).toHaveLength(SERVED[kind]);
      for (const record of records[kind]) expect(Object.keys(record)).toEqual(TABLES[kind]);
    }
    const abbreviated = records.location.flatMap(({ events }) => events as Json[]);
    expect(abbreviated.length).toBeGreaterThan(5);
    for (const event of abbreviated) expect(Object.keys(event)).toEqual(ABBREVIATED_EVENT);
    const files = KINDS.flatMap((kind) => records[kind]).flatMap((record) =>
      [record['image'], record['main_image'], ...(record['files'] as Json[])].filter((file) => !!file),
    ) as Json[];
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect(Object.keys(file)).toEqual(FILE);
  });
});
