import type { DateRange } from './query.ts';
import { QueryError } from './query-error.ts';

const BOUND = /^(\d{3,4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Whether a value asked of a date field is a range. */
export function isRange(value: string): boolean {
  return value.includes('..');
}

/**
 * Reads `from..to`, `from..` or `..to`, each side a year, a month (`1620-03`) or a day (`1620-03-01`). A year or
 * month stands for all its days.
 *
 * @param field the field's name, for the error
 * @throws QueryError when the range is malformed or ends before it begins
 */
export function parseRange(field: string, value: string): DateRange {
  const [first = '', last = '', ...more] = value.split('..').map((side) => side.trim());
  const from = first === '' ? 0 : day(first, 0);
  const to = last === '' ? 9999_99_99 : day(last, 99);
  if (from === undefined || to === undefined || first + last === '' || more.length > 0) {
    throw new QueryError({ reason: 'malformed-range', field, value });
  }
  if (from > to) throw new QueryError({ reason: 'inverted-range', field, value });
  return { from, to };
}

/** The day as a number YYYYMMDD, with `filler` for a month or day that is not given. */
function day(text: string, filler: number): number | undefined {
  const [, year, month, date] = BOUND.exec(text) ?? [];
  if (!year || Number(month ?? 1) > 12 || Number(date ?? 1) > 31) return undefined;
  return Number(year) * 10_000 + Number(month ?? filler) * 100 + Number(date ?? filler);
}
