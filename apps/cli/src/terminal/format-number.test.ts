import { expect, test } from 'vitest';
import { counted, duration, grouped } from './format-number.ts';

test('numbers are grouped and counted', () => {
  expect(grouped(70000)).toBe('70,000');
  expect(counted(1, 'record')).toBe('1 record');
  expect(counted(0, 'record')).toBe('0 records');
  expect(counted(1234, 'page')).toBe('1,234 pages');
});

test.for<[number, string]>([
  [0.2, '1 s'],
  [59, '59 s'],
  [60, '1:00 min'],
  [185, '3:05 min'],
  [7385, '2:03:05 h'],
])('%s seconds are %s', ([seconds, text]) => {
  expect(duration(seconds)).toBe(text);
});
