import { expect, test } from 'vitest';
import { createMarker, wordsOfQuery } from '../commands/search.ts';

test.each([
  ['Christiaan Huygens', ['huygens'], 'Christiaan [Huygens]'],
  ['Hùygens, huygens', ['Huygens'], '[Hùygens], [huygens]'],
  ['Den Haag', ['den haag', 'haag'], '[Den Haag]'],
  ['nothing', ['else', ''], 'nothing'],
  ['', ['a'], ''],
])('%j with %j is %j', (text, words, marked) => {
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
