import { expect, test } from 'vitest';
import { readFields, readTexts } from './read-tables.ts';
import { RECORD_COLUMNS } from './table-columns.ts';

test('Markdown that is too long is a fault of its cell', () => {
  const columns = [{ header: 'content_nl_markdown', name: 'content_nl_markdown', piece: 0 }];
  const { fields, faults } = readFields(readTexts(['[a]'.repeat(5_000)], columns), RECORD_COLUMNS.person);
  expect(fields).not.toHaveProperty('content_nl');
  expect(faults).toEqual([
    {
      column: 0,
      field: 'content_nl_markdown',
      reason: 'has more than 4,000 "["; expected HTML, in content_nl',
    },
  ]);
});
