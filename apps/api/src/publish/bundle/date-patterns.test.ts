import { describe, expect, test } from 'vitest';
import { compileDatePattern } from './date-patterns.ts';

function read(pattern: string, text: string): string | undefined {
  const reader = compileDatePattern(pattern);
  if (typeof reader !== 'function') throw new Error(reader.fault);
  return reader(text);
}

describe('a date pattern', () => {
  test.each([
    ['DD-MM-YYYY', '13-01-1717', '1717-01-13'],
    ['D-M-YYYY', '3-4-1841', '1841-04-03'],
    ['D-M-YYYY', '03-04-1841', '1841-04-03'],
    ['M/D/YYYY', '7/31/1932', '1932-07-31'],
    ['YYYYMMDD', '19320731', '1932-07-31'],
    ['MM/YYYY', '07/1932', '1932-07'],
    ['D MMMM YYYY', '13 jan. 1717', '1717-01-13'],
    ['D MMMM YYYY', '13 Januari 1717', '1717-01-13'],
    ['D MMMM YYYY', '2 mrt 1650', '1650-03-02'],
    ['D MMMM YYYY', '2 mei 1650', '1650-05-02'],
    ['D MMMM YYYY', '1 sept. 1650', '1650-09-01'],
    ['D MMMM YYYY', '1e mei 1650', '1650-05-01'],
    ['MMMM D YYYY', 'May 1st 1650', '1650-05-01'],
    ['MMMM D, YYYY', 'October 5, 1899', '1899-10-05'],
    ['born YYYY', 'born 1930', '1930'],
    ['Died in D.M.YYYY (?)', 'Died in 1.2.1930 (?)', '1930-02-01'],
    ['YYYY', '1852', '1852'],
  ])('%s reads "%s"', (pattern, text, date) => {
    expect(read(pattern, text)).toBe(date);
  });

  test.each([
    ['DD-MM-YYYY', '3-4-1841'],
    ['D-M-YYYY', '31-2-1841'],
    ['D-M-YYYY', '12-13-1841'],
    ['D MMMM YYYY', '13 Jänner 1717'],
    ['MMMM YYYY', 'decades 1650'],
    ['YYYY', 'c. 1852'],
    ['YYYY', '1852-1853'],
  ])('%s does not read "%s"', (pattern, text) => {
    expect(read(pattern, text)).toBeUndefined();
  });

  test.each(['DD-MM', 'DD-YYYY', 'YYYY YYYY', 'dd-mm-yyyy', 'D-M-YY', ''])('"%s" is not one', (pattern) => {
    expect(compileDatePattern(pattern)).toEqual({
      fault: `expected a date pattern such as DD-MM-YYYY, D MMMM YYYY or MM/YYYY, got "${pattern}"`,
    });
  });
});
