import {
  firstDayOf,
  isCalendarDate,
  type Kind,
  type KnownDates,
  knownDatesSchema,
  partsOfDate,
  RECORD_COLUMN_FIELDS,
  toEdtf,
} from '@archiefkast/types';
import { WRITTEN_DATES } from '../../written-dates.ts';

/** Ways to handle dates of which less than a day is known. */
export const PARTIAL_DATES = ['first-day'] as const;

/** How dates of which less than a day is known are handled; undefined makes them faults. */
export type PartialDates = (typeof PARTIAL_DATES)[number] | undefined;

/**
 * Sets every date of a record of which less than a day is known to the first day that it can be.
 *
 * @returns what is known of these dates, by field
 */
export function takeFirstDays(kind: Kind, record: Record<string, unknown>): KnownDates {
  const dates: Record<string, string> = {};
  for (const { name, type } of RECORD_COLUMN_FIELDS[kind]) {
    const given = record[name];
    const edtf = type === 'date' && typeof given === 'string' ? toEdtf(given) : undefined;
    const day = edtf && firstDayOf(edtf);
    if (!edtf || !day || day === given) continue;
    record[name] = day;
    if (day !== edtf) dates[name] = edtf;
  }
  return knownDatesSchema.parse(dates);
}

const BEFORE_CHRIST = /^-\d+|\d ?(?:bce?|b\.c\.|v\.? ?chr\.?)$/i;

/** Dates that no pattern reads, with what to write for them. */
const REWRITTEN: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/^(?:about|around|approx\.?|rond|±|~) ?(\d{4})$/i, '$1~'],
  [/^(?:probably|possibly|waarschijnlijk|mogelijk|vermoedelijk) (\d{4})$/i, '$1?'],
  [/^\[?(\d{4})(?:\??\]| ?\(\?\)| \?)$/, '$1?'],
  [/^(?:the |de )?(?:jaren )?(\d{3})0s?$/i, '$1X'],
  [/^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*$/, '$1'],
  [/^(\d{4}(?:-(?!00)\d\d)?)(?:-00)+$/, '$1'],
  [/^(\d{3})$/, '0$1'],
  [/^(?:c|ca|circa)\.? ?(\d{3})$/i, '0$1~'],
];

/** Why a date is invalid, and how to correct it. */
export function dateAdvice(input: unknown): string {
  const date = String(input).trim();
  const edtf = toEdtf(date);
  if (edtf !== undefined) {
    return (
      `"${date}" is ${describePart(edtf)}, but dates need a day: set partial_dates to first-day in the description of ` +
      `the archive (the API then has ${firstDayOf(edtf)}; pages and tables keep ${edtf}), or leave it empty and ` +
      'mention it in the text'
    );
  }
  return `expected a calendar date written YYYY-MM-DD, got "${String(input)}"${adviceFor(date)}`;
}

/** What of a date an EDTF date says. */
function describePart(edtf: string): string {
  const parts = partsOfDate(edtf);
  if (parts?.isApproximate) return 'an approximate date';
  if (parts?.isUncertain) return 'an uncertain date';
  if (parts?.year.endsWith('XX')) return 'a century';
  if (parts?.year.endsWith('X')) return 'a decade';
  return parts?.month ? 'a month' : 'a year';
}

/** What to do with a date that is written in another way; empty if it is not understood. */
function adviceFor(date: string): string {
  if (/^\d{5}$/.test(date)) {
    const day = new Date(Date.UTC(1899, 11, 30) + Number(date) * 86_400_000).toISOString().slice(0, 10);
    return `, which may be the spreadsheet number for ${day}; format the column as text and write that date`;
  }
  for (const { pattern, read } of WRITTEN_DATES) {
    const known = read(date);
    if (known !== undefined)
      return `; ${/^D.M.Y/.test(pattern) ? 'if the day comes first, ' : ''}write ${known}`;
  }
  for (const [pattern, write] of REWRITTEN) {
    if (!pattern.test(date)) continue;
    const known = date.replace(pattern, write);
    const setting = ', and set partial_dates to first-day in the description of the archive';
    return `; write ${known}${isCalendarDate(known) ? '' : setting}`;
  }
  const [, start, end] = /^(\d{4}) ?[-–/] ?(\d{4})$/.exec(date) ?? [];
  if (start) return `; the date_start of a period is ${start}, and its date_end ${end}`;
  if (BEFORE_CHRIST.test(date)) {
    return '; years before the common era cannot be written: leave it empty and mention it in the text';
  }
  return '';
}
