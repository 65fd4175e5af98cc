import {
  firstDayOf,
  type Kind,
  type KnownDates,
  knownDatesSchema,
  RECORD_COLUMN_FIELDS,
  toEdtf,
} from '@archiefkast/types';

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
