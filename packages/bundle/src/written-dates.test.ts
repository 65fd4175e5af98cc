import { describe, expect, test } from 'vitest';
import { compileDatePattern, dateAdvice } from './written-dates.ts';

function read(pattern: string, text: string): string | undefined {
  const reader = compileDatePattern(pattern);
  if (typeof reader !== 'function') throw new Error(reader.fault);
  return reader(text);
}

describe('a date pattern', () => {
  test.each<readonly [string, string, string]>([
    ['DD-MM-YYYY', '13-01-1717', '1717-01-13'],
    ['D-M-YYYY', '3-4-1841', '1841-04-03'],
    ['D-M-YYYY', '03-04-1841', '1841-04-03'],
    ['M/D/YYYY', '7/31/1932', '1932-07-31'],
    ['YYYYMMDD', '19320731', '1932-07-31'],
    ['MM/YYYY', '07/1932', '1932-07'],
    ['D MMMM YYYY', '13 Januari 1717', '1717-01-13'],
    ['MMMM D YYYY', 'May 1st 1650', '1650-05-01'],
    ...Object.entries({
      '01': 'jan Jan. Jany. januari JANUARY I',
      '03': 'mrt. Maart mar march III',
      '05': 'mei Mei. meij may Mai V',
      '09': 'sept Sep. septr. 7ber IX',
      '10': 'okt oct. Octr. 8ber X',
      '12': 'dec december Xber 10ber XII',
    }).flatMap(([month, names]) =>
      names.split(' ').map((name) => ['D MMMM YYYY', `3 ${name} 1650`, `1650-${month}-03`] as const),
    ),
    ...['1e', '1ste', '1st', '1st.', '1en'].map(
      (day) => ['D MMMM YYYY', `${day} mei 1650`, '1650-05-01'] as const,
    ),
    ['D MMMM YYYY', '22nd June 1650', '1650-06-22'],
    ['D MMMM YYYY', 'zondag 3 mei 1650', '1650-05-03'],
    ['D MMMM YYYY', 'Mon. 3 May 1650', '1650-05-03'],
    ['MMMM D, YYYY', 'Friday, May 3rd, 1650', '1650-05-03'],
    ['D MMMM YYYY', 'den 3den mei 1650', '1650-05-03'],
    ['MMMM D, YYYY', 'October 5, 1899', '1899-10-05'],
    ['born YYYY', 'born 1930', '1930'],
    ['Died in D.M.YYYY (?)', 'Died in 1.2.1930 (?)', '1930-02-01'],
    ['YYYY', '1852', '1852'],
    ['YYYY', 'ABT 1650', '1650~'],
    ['D MMMM YYYY', 'INT 12 MAR 1703 (Easter)', '1703-03-12?'],
    ['YYYY', 'EST 1650', '1650~'],
    ['MMMM YYYY', 'CAL APR 1705', '1705-04~'],
    ['D MMMM YYYY', 'in den jare 3 mei 1650', '1650-05-03'],
    ['YYYY', 'Anno 1650', '1650'],
  ])('%s reads "%s"', (pattern, text, date) => {
    expect(read(pattern, text)).toBe(date);
  });

  test.each([
    ['DD-MM-YYYY', '3-4-1841'],
    ['D-M-YYYY', '31-2-1841'],
    ['D-M-YYYY', '12-13-1841'],
    ['D MMMM YYYY', '13 Jänner 1717'],
    ['MMMM YYYY', 'decades 1650'],
    ['D MMMM YYYY', '3 marten 1650'],
    ['D MMMM YYYY', '3 mi 1650'],
    ['D MMMM YYYY', '3 IIII 1650'],
    ['YYYY', 'c. 1852'],
    ['YYYY', '1852-1853'],
    ['YYYY', 'BEF 1700'],
    ['YYYY', 'BET 1650 AND 1655'],
    ['YYYY', 'INT 1703'],
  ])('%s does not read "%s"', (pattern, text) => {
    expect(read(pattern, text)).toBeUndefined();
  });

  test.each(['DD-MM', 'DD-YYYY', 'YYYY YYYY', 'dd-mm-yyyy', 'D-M-YY', ''])('"%s" is not one', (pattern) => {
    expect(compileDatePattern(pattern)).toEqual({
      fault: `expected a date pattern such as DD-MM-YYYY, D MMMM YYYY or MM/YYYY, got "${pattern}"`,
    });
  });
});

const SETTING = ', and set partial_dates to first-day in the description of the archive';

test.each([
  ['19-02-1526', 'if the day comes first, write 1526-02-19'],
  ['12/31/1999', 'write 1999-12-31'],
  ['20160412', 'write 2016-04-12'],
  ['1e mei 1650', 'write 1650-05-01'],
  ['1 sept. 1650', 'write 1650-09-01'],
  ['May 3, 1650', 'write 1650-05-03'],
  ['mrt 1650', `write 1650-03${SETTING}`],
  ['1650-5', `write 1650-05${SETTING}`],
  ['1850.0', `write 1850${SETTING}`],
  ['1985-01-01T00:00:00', 'write 1985-01-01'],
  ['1650-05-00', `write 1650-05${SETTING}`],
  ['1650-00-00', `write 1650${SETTING}`],
  ['965', `write 0965${SETTING}`],
  ['c. 965', `write 0965~${SETTING}`],
  ['about 1650', `write 1650~${SETTING}`],
  ['probably 1650', `write 1650?${SETTING}`],
  ['[1650]', `write 1650?${SETTING}`],
  ['1650s', `write 165X${SETTING}`],
  ['1650’s', `write 165X${SETTING}`],
  ['17e eeuw', `write 16XX${SETTING}`],
  ['17th century', `write 16XX${SETTING}`],
  ['ca. 3 mei 1650', `write 1650-05-03~${SETTING}`],
  ['3 mei 1650?', `write 1650-05-03?${SETTING}`],
  ['mei 1650 (?)', `write 1650-05?${SETTING}`],
  ['01/02/1985 00:00', 'if the day comes first, write 1985-02-01'],
  ['zomer 1650', `write 1650${SETTING}`],
  ['3rd of May, 1650', 'write 1650-05-03'],
  ['3.V.1650', 'write 1650-05-03'],
  ['1650 mei 3', 'write 1650-05-03'],
  ['1650-55', 'the date_start of a period is 1650, and its date_end 1655'],
  ['BET 1650 AND 1660', 'the date_start of a period is 1650, and its date_end 1660'],
  [
    'BEF 1650',
    'only an end is known: leave it empty and mention it in the text, or write date_end 1650 of an event',
  ],
  [
    'AFT 1650',
    'only a start is known: leave it empty and mention it in the text, or write date_start 1650 of an event',
  ],
  ['tussen 1650 en 1660', 'the date_start of a period is 1650, and its date_end 1660'],
  ['ca. 1650-ca. 1660', 'the date_start of a period is 1650, and its date_end 1660'],
  [
    'voor 1650',
    'only an end is known: leave it empty and mention it in the text, or write date_end 1650 of an event',
  ],
  [
    'after 1650',
    'only a start is known: leave it empty and mention it in the text, or write date_start 1650 of an event',
  ],
  ["12-05-'50", 'write the year with four digits'],
  ['12 mei', 'the year is missing'],
  ['z.j.', 'leave it empty where nothing is known'],
  ['1650-02-30', 'it is no day of the calendar'],
  ['31-4-1650', 'it is no day of the calendar'],
  ['Pasen 1650', 'if only its year is known, write 1650'],
  ['1650-1660', 'the date_start of a period is 1650, and its date_end 1660'],
  ['43 BC', 'years before the common era cannot be written: leave it empty and mention it in the text'],
  ['-0043', 'years before the common era cannot be written: leave it empty and mention it in the text'],
])('of "%s" says: %s', (date, advice) => {
  expect(dateAdvice(date)).toBe(`expected a calendar date written YYYY-MM-DD, got "${date}"; ${advice}`);
});

test.each(['next year', 'MDCL', ''])('gives none of "%s"', (date) => {
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
