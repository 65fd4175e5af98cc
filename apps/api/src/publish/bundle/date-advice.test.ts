import { expect, test } from 'vitest';
import { dateAdvice } from './date-advice.ts';

const PARTIAL = ', and set partial_dates to first-day in the description of the archive';

test.each([
  ['1647/04/02', '; write 1647-04-02'],
  ['1647-4-2', '; write 1647-04-02'],
  ['1647.4', '; write 1647-04'],
  ['02-04-1647', '; if the day comes first, write 1647-04-02'],
  ['13 jan 1717', '; write 1717-01-13'],
  ['13 Januari 1717', '; write 1717-01-13'],
  ['2. März 1717', ''],
  ['2 mrt. 1717', '; write 1717-03-02'],
  ['Oct. 2, 1717', '; write 1717-10-02'],
  ['mei 1717', '; write 1717-05'],
  ['1650s', `; write 165X${PARTIAL}`],
  ['jaren 1650', `; write 165X${PARTIAL}`],
  ['about 1650', `; write 1650~${PARTIAL}`],
  ['±1650', `; write 1650~${PARTIAL}`],
  ['[1650]', `; write 1650?${PARTIAL}`],
  ['1650 (?)', `; write 1650?${PARTIAL}`],
  [
    '43831',
    ', which may be the spreadsheet number for 2020-01-01; format the column as text and write that date',
  ],
  ['31-02-1717', ''],
  ['1717-02-30', ''],
  ['31 feb 1717', ''],
  ['unknown', ''],
])('advice for %j ends in %j', (date, advice) => {
  expect(dateAdvice(date)).toBe(`expected a calendar date written YYYY-MM-DD, got "${date}"${advice}`);
});

test.each([
  ['1650', 'a year', '1650-01-01', '1650'],
  ['1650-03', 'a month', '1650-03-01', '1650-03'],
  ['165X', 'a decade', '1650-01-01', '165X'],
  ['16XX', 'a century', '1600-01-01', '16XX'],
  ['c. 1650', 'an approximate date', '1650-01-01', '1650~'],
  ['1650?', 'an uncertain date', '1650-01-01', '1650?'],
])('%j is %s', (date, what, day, kept) => {
  expect(dateAdvice(date)).toBe(
    `"${date}" is ${what}, but dates need a day: set partial_dates to first-day in the description of the archive ` +
      `(the API then has ${day}; pages and tables keep ${kept}), or leave it empty and mention it in the text`,
  );
});
