import { expect, test } from 'vitest';
import { queryOf } from './search.ts';

test.for([
  [{ query: '' }, ''],
  [{ query: 'rembrandt' }, 'rembrandt'],
  [{ query: '', lastName: 'de Vries' }, 'last_name:de Vries'],
  [{ query: 'poet', lastName: 'Huygens', city: 'Den Haag' }, 'poet last_name:Huygens city:Den Haag'],
] as const)('%j is asked as "%s"', ([settings, query]) => {
  expect(queryOf(settings)).toBe(query);
});
