import { readFile } from 'node:fs/promises';
import { COLLECTIONS, KINDS, recordSchemas } from '@archiefkast/types';
import { describe, expect, it } from 'vitest';
import { INDEX_FORMAT } from '../file/index-file.ts';
import { parseQuery } from '../index.ts';
import { type Matching, SEARCH_FIELDS, searchableColumns } from './search-fields.ts';

const DOCUMENT = new URL('../../../../../docs/search.md', import.meta.url);

const MATCHES: Record<Matching, string> = {
  contains: 'contains',
  whole: 'whole',
  number: 'whole',
  place: 'contains',
  date: 'contains, or range',
  element: 'one of its values',
  words: 'words',
  near: 'latitude,longitude,distance',
  within: 'south,west,north,east',
  reference: 'uuid or id',
  kind: 'one of the four',
};

const A_VALUE: Record<Matching, string> = {
  contains: 'x',
  whole: '1',
  number: '1',
  place: 'x',
  date: '1620..1650',
  element: '17',
  words: 'x',
  near: '52.37,4.89,500m',
  within: '52.3,4.8,52.4,5.0',
  reference: '12',
  kind: 'person',
};

/** Columns derived from several fields. */
const DERIVED = ['century', 'has'];

describe('search fields', () => {
  it.each(SEARCH_FIELDS)('$name is accepted in a query', ({ name, matching, values }) => {
    expect(
      parseQuery(`${name}:${values?.[0] ?? (name === 'uuid' ? 'a' : A_VALUE[matching])}`).clauses,
    ).toHaveLength(1);
  });

  it.each(SEARCH_FIELDS)('$name has columns that exist in its records', ({ kinds, columns }) => {
    for (const kind of kinds)
      expect(Object.keys(recordSchemas[kind].shape)).toEqual(
        expect.arrayContaining(columns.filter((column) => !DERIVED.includes(column))),
      );
  });

  it('have the columns of this index format: increase INDEX_FORMAT with every change', () => {
    const columns = KINDS.map((kind) => `${kind}: ${searchableColumns(kind).join(' ')}`);
    expect([INDEX_FORMAT, ...columns]).toEqual([
      16,
      'person: id uuid first_name last_name infix title_nl title_en birth_date death_date gender birth_place birth_country death_place death_country century has',
      'subject: id uuid name_nl name_en has',
      'location: id uuid name_nl name_en street zipcode city state land has',
      'event: id uuid century name_nl name_en date date_start date_end has',
    ]);
  });

  it('are listed in docs/search.md', async () => {
    const rows = SEARCH_FIELDS.map(({ name, kinds, matching, description }) => {
      const of = kinds.length === 4 ? 'all' : kinds.map((kind) => COLLECTIONS[kind]).join(', ');
      return `| \`${name}\` | ${of} | ${MATCHES[matching]} | ${description} |`;
    });
    const table = ['| field | of | matches | meaning |', '|---|---|---|---|', ...rows].join('\n');
    const text = await readFile(DOCUMENT, 'utf8');
    expect(/<!-- fields -->\n([\s\S]*)\n<!-- \/fields -->/.exec(text)?.[1]).toBe(table);
  });
});
