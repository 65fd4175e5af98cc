import { expect, test } from 'vitest';
import { dateAdvice } from './date-advice.ts';

const SETTING = ', and set partial_dates to first-day in the description of the archive';

test.each([
  ['19-02-1526', 'if the day comes first, write 1526-02-19'],
  ['12/31/1999', 'write 1999-12-31'],
  ['20160412', 'write 2016-04-12'],
  ['1e mei 1650', 'write 1650-05-01'],
  ['1 sept. 1650', 'write 1650-09-01'],
  ['May 3, 1650', 'write 1650-05-03'],
  ['mrt 1650', 'write 1650-03'],
  ['1650-5', 'write 1650-05'],
  ['1850.0', 'write 1850'],
  ['1985-01-01T00:00:00', 'write 1985-01-01'],
  ['1650-05-00', `write 1650-05${SETTING}`],
  ['1650-00-00', `write 1650${SETTING}`],
  ['965', `write 0965${SETTING}`],
  ['c. 965', `write 0965~${SETTING}`],
  ['about 1650', `write 1650~${SETTING}`],
  ['probably 1650', `write 1650?${SETTING}`],
  ['[1650]', `write 1650?${SETTING}`],
  ['1650s', `write 165X${SETTING}`],
  ['1650-1660', 'the date_start of a period is 1650, and its date_end 1660'],
  ['43 BC', 'years before the common era cannot be written: leave it empty and mention it in the text'],
  ['-0043', 'years before the common era cannot be written: leave it empty and mention it in the text'],
])('of "%s" says: %s', (date, advice) => {
  expect(dateAdvice(date)).toBe(`expected a calendar date written YYYY-MM-DD, got "${date}"; ${advice}`);
});

test.each(['next year', 'decades 1650', '1650-13-01', '32-1-1650', ''])('gives none of "%s"', (date) => {
  expect(dateAdvice(date)).toBe(`expected a calendar date written YYYY-MM-DD, got "${date}"`);
});

test('says that a number may be that of a spreadsheet, and what less than a day is', () => {
  expect(dateAdvice('43831')).toContain(
    ', which may be the spreadsheet number for 2020-01-01; format the column as text',
  );
  expect(dateAdvice('1650')).toContain(
    '"1650" is a year, but dates need a day: set partial_dates to first-day',
  );
  expect(dateAdvice('16XX')).toContain('"16XX" is a century, ');
  expect(dateAdvice('c. 1650')).toContain('"c. 1650" is an approximate date, ');
});
