import { describe, expect, test } from 'vitest';
import { factsOf } from './field-schemas.ts';
import { KINDS } from './kinds.ts';
import { FILE_COLUMN_FIELDS, fileObjectSchema, RECORD_COLUMN_FIELDS, recordSchemas } from './records.ts';

describe.each(KINDS)('the columns of a %s', (kind) => {
  const columns = RECORD_COLUMN_FIELDS[kind].map(({ name }) => name);
  const fields = Object.entries(recordSchemas[kind].shape);

  test('are the fields with metadata', () => {
    const described = fields.filter(([, schema]) => factsOf(schema)).map(([name]) => name);
    expect(described.length).toBeGreaterThan(10);
    // A bundle gives the subjects of an event; only the abbreviated event serves them.
    expect(columns.toSorted()).toEqual([...described, ...(kind === 'event' ? ['subjects'] : [])].toSorted());
  });

  test('are all fields except files and derived fields', () => {
    const left = fields.map(([name]) => name).filter((name) => !columns.includes(name));
    expect(
      left.filter((name) => !/^(?:url|position|location_events|image|main_image|files)$/.test(name)),
    ).toEqual(kind === 'subject' ? [] : ['same_as']);
  });
});

test('a file has a column for each of its fields, in order', () => {
  expect(FILE_COLUMN_FIELDS.map(({ name }) => name)).toEqual(Object.keys(fileObjectSchema.shape));
});
