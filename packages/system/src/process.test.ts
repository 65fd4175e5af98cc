import { expect, test } from 'vitest';
import { printable } from './process.ts';

test.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\nb\tc\r', 'a\\u000ab\\u0009c\\u000d'],
  ['\u009b31m\u007f', '\\u009b31m\\u007f'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
])('%j is escaped', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('printable text is unchanged', () => {
  expect(printable('Café “de IJssel” 漢字 🏛 −1')).toBe('Café “de IJssel” 漢字 🏛 −1');
});

test('tabs and line ends are kept with keepLines', () => {
  const text = 'Jan\nPiet\tKlaas\r\nover\rwritten\u001b';
  expect(printable(text, { keepLines: true })).toBe('Jan\nPiet\tKlaas\r\nover\\u000dwritten\\u001b');
});
