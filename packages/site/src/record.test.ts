import { expect, test } from 'vitest';
import { datetimeOf, formatDate, formatPeriod, formatYear } from './record.ts';
import { textsIn } from './texts.ts';

const [EN, NL] = [textsIn('en'), textsIn('nl')];

test.each([
  ['1588-12-10', '10\u00a0December\u00a01588', '10\u00a0december\u00a01588', '1588-12-10'],
  ['1588-03', 'March\u00a01588', 'maart\u00a01588', '1588-03'],
  ['1588', '1588', '1588', '1588'],
  ['0988', '988', '988', '0988'],
  ['158X', '1580s', 'jaren\u00a01580', undefined],
  ['15XX', 'between 1500 and 1599', 'tussen 1500 en 1599', undefined],
  ['1588~', 'c.\u00a01588', 'ca.\u00a01588', '1588'],
  ['1588-03?', 'March\u00a01588?', 'maart\u00a01588?', '1588-03'],
  ['158X%', 'c.\u00a01580s?', 'ca.\u00a0jaren\u00a01580?', undefined],
])('%s is "%s" in English, "%s" in Dutch and %s for machines', (date, english, dutch, datetime) => {
  expect(formatDate(date, EN)).toBe(english);
  expect(formatDate(date, NL)).toBe(dutch);
  expect(datetimeOf(date)).toBe(datetime);
});

test('the year of a date keeps its uncertainty', () => {
  expect(['1588-12-10', '1588-03~', '158X'].map((date) => formatYear(date, EN))).toEqual([
    '1588',
    'c.\u00a01588',
    '1580s',
  ]);
});

test('periods use what is known', () => {
  expect(formatPeriod({ date_start: '1588', date_end: '1590-02' }, EN)).toBe('1588 – February\u00a01590');
});
