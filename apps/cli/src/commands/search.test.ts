import { expect, test } from 'vitest';
import { queryOf } from './search.ts';

const QUERIES: [settings: Parameters<typeof queryOf>[0], query: string][] = [
  [{ query: [] }, ''],
  [{ query: ['rembrandt', 'van rijn'] }, 'rembrandt van rijn'],
  [{ query: [], lastName: ['de Vries'] }, 'last_name:de Vries'],
  [{ query: [], lastName: ['Vries', 'Jansen'] }, 'last_name:Vries last_name:Jansen'],
  [{ query: ['poet'], lastName: ['Huygens'], city: ['Den Haag'] }, 'poet last_name:Huygens city:Den Haag'],
];

test.for(QUERIES)('%j becomes the query "%s"', ([settings, query]) => {
  expect(queryOf(settings)).toBe(query);
});
