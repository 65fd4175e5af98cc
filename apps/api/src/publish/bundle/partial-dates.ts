import type { Kind } from '@archiefkast/types';

/** What may become of dates without a day. */
export const PARTIAL_DATES = ['first-day'] as const;

/** What becomes of dates without a day; undefined: they are faults. */
export type PartialDates = (typeof PARTIAL_DATES)[number] | undefined;

const DATE_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  person: ['birth_date', 'death_date'],
  subject: [],
  location: [],
  event: ['date', 'date_start', 'date_end'],
};

const PARTIAL = /^\d{4}(-\d{2})?$/;

/** Takes the first day for every date of a record that has none; returns how many there were. */
export function takeFirstDays(kind: Kind, record: Record<string, unknown>): number {
  let taken = 0;
  for (const field of DATE_FIELDS[kind]) {
    const date = record[field];
    if (typeof date !== 'string' || !PARTIAL.test(date)) continue;
    record[field] = date + '-01-01'.slice(date.length - '1850'.length);
    taken += 1;
  }
  return taken;
}

const SERIAL = /^\d{5}$/;
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/;

/** What is wrong with a date, and what can be done. */
export function dateAdvice(input: unknown): string {
  const date = String(input);
  const expected = `expected a calendar date written YYYY-MM-DD, got "${date}"`;
  if (PARTIAL.test(date)) {
    const what = date.length === 4 ? 'a year' : 'a month';
    const first = date + '-01-01'.slice(date.length - '1850'.length);
    return (
      `"${date}" is ${what}, and the archive has whole days only: leave it empty and say it in the text, write ` +
      `${first}, or put partial_dates: first-day in the description of the archive`
    );
  }
  if (SERIAL.test(date)) {
    const day = new Date(Date.UTC(1899, 11, 30) + Number(date) * 86_400_000).toISOString().slice(0, 10);
    return `${expected}, which may be ${day} as a spreadsheet counts days; make the column text and write that`;
  }
  const [, day = '', month = '', year] = DAY_FIRST.exec(date) ?? [];
  if (!year) return expected;
  return `${expected}; with the day first that is ${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
