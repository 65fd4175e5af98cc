import { readFile } from 'node:fs/promises';
import { COLLECTIONS, recordSchemas } from '@archive/types';
import { describe, expect, it } from 'vitest';
import { type Matching, SEARCH_FIELDS } from './fields.ts';
import { parseQuery } from './index.ts';

const DOCUMENT = new URL('../../../../docs/search.md', import.meta.url);

const MATCHES: Record<Matching, string> = {
  contains: 'contains',
  whole: 'whole',
  date: 'contains, or range',
  kind: 'one of the four',
};

const A_VALUE: Record<Matching, string> = { contains: 'x', whole: '1', date: '1620..1650', kind: 'person' };

describe('the fields of search', () => {
  it.each(SEARCH_FIELDS)('$name can be asked for', ({ name, matching }) => {
    expect(parseQuery(`${name}:${A_VALUE[matching]}`).clauses).toHaveLength(1);
  });

  it.each(SEARCH_FIELDS)('$name looks at fields that its records have', ({ kinds, columns }) => {
    for (const kind of kinds)
      expect(Object.keys(recordSchemas[kind].shape)).toEqual(expect.arrayContaining([...columns]));
  });

  it('are the ones in docs/search.md', async () => {
    const rows = SEARCH_FIELDS.map(({ name, kinds, matching, description }) => {
      const of = kinds.length === 4 ? 'all' : kinds.map((kind) => COLLECTIONS[kind]).join(', ');
      return `| \`${name}\` | ${of} | ${MATCHES[matching]} | ${description} |`;
    });
    const table = ['| field | of | matches | meaning |', '|---|---|---|---|', ...rows].join('\n');
    const text = await readFile(DOCUMENT, 'utf8');
    expect(/<!-- fields -->\n([\s\S]*)\n<!-- \/fields -->/.exec(text)?.[1]).toBe(table);
  });
});
