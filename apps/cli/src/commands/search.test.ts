import { expect, test } from 'vitest';
import { createMarker, queryOf, wordsOfQuery } from './search.ts';

const QUERIES: [settings: Parameters<typeof queryOf>[0], query: string][] = [
  [{ query: '' }, ''],
  [{ query: 'rembrandt van rijn' }, 'rembrandt van rijn'],
  [{ query: '', lastName: ['de Vries'] }, 'last_name:de Vries'],
  [{ query: '', lastName: ['Vries', 'Jansen'] }, 'last_name:Vries last_name:Jansen'],
  [{ query: 'poet', lastName: ['Huygens'], city: ['Den Haag'] }, 'poet last_name:Huygens city:Den Haag'],
];

test.for(QUERIES)('%j becomes the query "%s"', ([settings, query]) => {
  expect(queryOf(settings)).toBe(query);
});

test.each([
  ['Christiaan Huygens', ['huygens'], 'Christiaan [Huygens]'],
  ['Hùygens, huygens', ['Huygens'], '[Hùygens], [huygens]'],
  ['Den Haag', ['den haag', 'haag'], '[Den Haag]'],
  ['nothing', ['else', ''], 'nothing'],
  ['', ['a'], ''],
])('%j with the words %j marked is %j', (text, words, marked) => {
  const plain = createMarker(words)(text).replaceAll('\u001b[4m', '[').replaceAll('\u001b[24m', ']');
  expect(plain).toBe(marked);
});

test.each([
  ['rembrandt van rijn', ['rembrandt', 'van', 'rijn']],
  ['city:Den Haag last_name:vos', ['', 'Den Haag', 'vos']],
  ['"gouden eeuw" kunst', ['', 'gouden eeuw', 'kunst']],
])('the words of %j are %j', (query, words) => {
  expect(wordsOfQuery(query)).toEqual(words);
});
