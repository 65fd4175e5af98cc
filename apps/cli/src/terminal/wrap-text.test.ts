import { expect, test } from 'vitest';
import { wrapText } from './readable-record.ts';

test.each([
  ['', 10, ''],
  ['one two three', 7, 'one two\nthree'],
  ['one two\n\nthree', 7, 'one two\n\nthree'],
  ['a wordthatislong b', 5, 'a\nwordthatislong\nb'],
  [' * one two three', 9, ' * one\n   two\n   three'],
  [' 12. one two', 8, ' 12. one\n     two'],
  ['史料 史料', 6, '史料\n史料'],
])('%j in %i columns is %j', (text, width, wrapped) => {
  expect(wrapText(text, width)).toBe(wrapped);
});
