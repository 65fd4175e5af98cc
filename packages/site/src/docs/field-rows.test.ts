import { eventSchema, recordSchemas } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { fieldRows } from './field-rows.ts';

describe('the fields of a schema', () => {
  const rows = new Map(fieldRows(eventSchema).map((row) => [row.name, row]));

  test.each([
    ['id', [{ name: 'integer' }]],
    ['published', [{ name: 'boolean' }]],
    ['uuid', [{ name: 'uuid' }]],
    ['url', [{ name: 'url' }]],
    ['name', [{ name: 'string' }]],
    ['date', [{ name: 'date' }, { name: 'null' }]],
    ['same_as', [{ name: 'null' }]],
    ['location', [{ name: 'object', form: 'Location' }, { name: 'null' }]],
    ['persons', [{ name: 'array', of: [{ name: 'object', form: 'Person' }] }]],
  ])('%s is of its type', (name, types) => {
    expect(rows.get(name)?.types).toEqual(types);
  });

  test('are in the order of the schema', () => {
    expect([...rows.keys()]).toEqual(Object.keys(eventSchema.shape));
  });

  test('can be text or null', () => {
    const title = fieldRows(recordSchemas.person).find(({ name }) => name === 'title_en');
    expect(title?.types).toEqual([{ name: 'string' }, { name: 'null' }]);
  });
});
