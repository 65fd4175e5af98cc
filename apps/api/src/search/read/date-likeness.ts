/** What is known of a date: month and day are 0 if they are not. */
interface KnownDate {
  year: number;
  month: number;
  day: number;
}

/** Dates from the most to the least precise. */
const FORMS: readonly RegExp[] = [
  /(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/,
  /(?<day>\d{1,2})[-./ ](?<month>\d{1,2})[-./ ](?<year>\d{4})/,
  /(?<year>\d{4})-(?<month>\d{2})(?!\d)/,
  /(?:^|\D)(?<year>\d{4})(?!\d)/,
];

/** The first date in a text; of another form, its year. Undefined without one. */
function readDate(text: string): KnownDate | undefined {
  const { groups } = FORMS.map((form) => form.exec(text)).find((found) => found !== null) ?? {};
  return (
    groups && {
      year: Number(groups['year']),
      month: Number(groups['month'] ?? 0),
      day: Number(groups['day'] ?? 0),
    }
  );
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
