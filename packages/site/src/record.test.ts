import { expect, test } from 'vitest';
import { datetimeOf, formatDate, formatPeriod, formatYear } from './record.ts';
import { textsIn } from './texts.ts';

const [EN, NL] = [textsIn('en'), textsIn('nl')];

test.each([
  ['1588-12-10', '10 December 1588', '10 december 1588', '1588-12-10'],
  ['1588-03', 'March 1588', 'maart 1588', '1588-03'],
  ['1588', '1588', '1588', '1588'],
  ['0988', '988', '988', '0988'],
  ['158X', '1580s', 'jaren 1580', undefined],
  ['15XX', 'between 1500 and 1599', 'tussen 1500 en 1599', undefined],
  ['1588~', 'c. 1588', 'ca. 1588', '1588'],
  ['1588-03?', 'March 1588?', 'maart 1588?', '1588-03'],
  ['158X%', 'c. 1580s?', 'ca. jaren 1580?', undefined],
])('%s is "%s" in English, "%s" in Dutch and %s for machines', (date, english, dutch, datetime) => {
  expect(formatDate(date, EN)).toBe(english);
  expect(formatDate(date, NL)).toBe(dutch);
  expect(datetimeOf(date)).toBe(datetime);
});

test('the year of a date keeps its uncertainty', () => {
  expect(['1588-12-10', '1588-03~', '158X'].map((date) => formatYear(date, EN))).toEqual([
    '1588',
    'c. 1588',
    '1580s',
  ]);
});

test('periods use what is known', () => {
  expect(formatPeriod({ date_start: '1588', date_end: '1590-02' }, EN)).toBe('1588 – February 1590');
});
