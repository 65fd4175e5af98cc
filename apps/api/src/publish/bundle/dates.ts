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

/** Converts a text to `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; undefined if it does not have the form of the pattern. */
export type DateReader = (text: string) => string | undefined;

/** A run of letters that is a part of a date; letters around it make it a word, such as the D of "Died". */
const PARTS = /(?<!\p{L})(?:YYYY|MMMM|MM|M|DD|D)+(?!\p{L})/gu;
const PART = /YYYY|MMMM|MM|M|DD|D/g;

/** The names of the months in English and Dutch. */
const MONTHS = ['en', 'nl'].flatMap((language) => {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => format.format(Date.UTC(2001, index, 15)).toLowerCase());
});

/** The number of a month by its name or the first letters of it; undefined if it is no month. */
function monthNamed(name: string): string | undefined {
  const start = name.toLowerCase();
  // The only abbreviation that is no beginning.
  const index = MONTHS.findIndex((month) => month.startsWith(start === 'mrt' ? 'maart' : start));
  return index < 0 ? undefined : String((index % 12) + 1);
}

const EXPRESSIONS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MMMM: '(?<name>\\p{L}{3,})\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})(?:e|de|ste|st|nd|rd|th)?',
};

/**
 * Compiles a date pattern: `YYYY` year, `MM` or `M` month, `MMMM` name of the month (English or Dutch, or abbreviated),
 * `DD` or `D` day, also `1st` or `1e`; everything else stands for itself.
 *
 * @returns the reader, or what the pattern lacks
 */
export function compileDatePattern(pattern: string): DateReader | { fault: string } {
  const parts = [...pattern.matchAll(PARTS)].flatMap(([run]) => run.match(PART) ?? []);
  const count = (letter: string) => parts.filter((part) => part.startsWith(letter)).length;
  if (count('Y') !== 1 || count('M') > 1 || count('D') > count('M')) {
    return { fault: `expected a date pattern such as DD-MM-YYYY, D MMMM YYYY or MM/YYYY, got "${pattern}"` };
  }
  const source = pattern
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll(PARTS, (run) => run.replaceAll(PART, (part) => EXPRESSIONS[part] ?? part));
  const expression = new RegExp(`^${source}$`, 'iu');
  return (text) => {
    const { year, name, month = name && monthNamed(name), day } = expression.exec(text)?.groups ?? {};
    if (year === undefined || (name !== undefined && month === undefined)) return undefined;
    const date = [year, month?.padStart(2, '0'), day?.padStart(2, '0')]
      .filter((part) => part !== undefined)
      .join('-');
    return isCalendarDate(date + '-01-01'.slice(date.length - 4)) ? date : undefined;
  };
}

/** The ways in which people write dates; of two that fit alike, the first is likelier. */
export const WRITTEN_DATES = [
  ...['D-M-YYYY', 'M-D-YYYY', 'D/M/YYYY', 'M/D/YYYY', 'D.M.YYYY', 'M.D.YYYY', 'D M YYYY', 'M D YYYY'],
  ...['YYYY-M-D', 'YYYY/M/D', 'YYYY.M.D', 'YYYY M D', 'YYYYMMDD'],
  ...['D MMMM YYYY', 'D. MMMM YYYY', 'D-MMMM-YYYY', 'D MMMM, YYYY', 'MMMM D, YYYY', 'MMMM D YYYY'],
  ...['MMMM YYYY', 'MMMM, YYYY', 'M-YYYY', 'M/YYYY', 'YYYY-M', 'YYYY/M', 'YYYY.0'],
].flatMap((pattern) => {
  const read = compileDatePattern(pattern);
  return typeof read === 'function' ? [{ pattern, read }] : [];
});

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
