/** What is known of a date: month and day are 0 if they are not. */
interface KnownDate {
  year: number;
  month: number;
  day: number;
}

/** Dates from the most to the least precise, with the groups of year, month and day. */
const FORMS: readonly (readonly [RegExp, year: number, month: number, day: number])[] = [
  [/(\d{4})-(\d{1,2})-(\d{1,2})/, 1, 2, 3],
  [/(\d{1,2})[-./ ](\d{1,2})[-./ ](\d{4})/, 3, 2, 1],
  [/(\d{4})-(\d{2})(?!\d)/, 1, 2, 0],
  [/(?:^|\D)(\d{4})(?!\d)/, 1, 0, 0],
];

/** The first date in a text; of another form, its year. Undefined without one. */
function readDate(text: string): KnownDate | undefined {
  for (const [pattern, ...groups] of FORMS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const [year = 0, month = 0, day = 0] = groups.map((group) => (group === 0 ? 0 : Number(found[group])));
    return { year, month, day };
  }
  return undefined;
}

/**
 * Compares a written date with that of a record.
 *
 * @param own a day; the first of January stands for a year, as partial dates do in the API
 * @returns 1 if they agree as far as both are known, 0 if they may (a baptism for a birth, another calendar), -1 if not;
 *   undefined without one of them
 */
export function compareDates(written: string, own: string): number | undefined {
  const [a, b] = [readDate(written), readDate(own)];
  if (!a || !b) return undefined;
  const years = Math.abs(a.year - b.year);
  if (years > 1) return -1;
  if (years === 1) return 0;
  const isYear = a.month === 0 || (b.month === 1 && b.day === 1);
  if (isYear || (a.month === b.month && (a.day === b.day || a.day === 0))) return 1;
  return 0;
}
