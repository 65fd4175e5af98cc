import { firstDayOf, isCalendarDate, partsOfDate, toEdtf } from '@archiefkast/types';

const SERIAL = /^\d{5}$/;
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/;

/** Days and months as people write them. */
const WRITTEN = [
  /^(?<year>\d{4})[-/. ](?<month>\d{1,2})(?:[-/. ](?<day>\d{1,2}))?$/,
  /^(?:(?<day>\d{1,2})\.? )?(?<name>[a-z]{3,})\.?,? (?<year>\d{4})$/i,
  /^(?<name>[a-z]{3,})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/i,
] as const;

/** The first letters of each month in English and Dutch. */
const MONTHS = [
  ['jan'],
  ['feb'],
  ['mar', 'maa', 'mrt'],
  ['apr'],
  ['may', 'mei'],
  ['jun'],
  ['jul'],
  ['aug'],
  ['sep'],
  ['oct', 'okt'],
  ['nov'],
  ['dec'],
];

/** Years as people write them, with the ending that EDTF has for them. */
const INEXACT: readonly (readonly [pattern: RegExp, ending: string])[] = [
  [/^(?:about|around|approx\.?|rond|±|~) ?(\d{4})$/i, '~'],
  [/^(?:probably|possibly|waarschijnlijk|mogelijk|vermoedelijk) (\d{4})$/i, '?'],
  [/^\[?(\d{4})(?:\??\]| ?\(\?\)| \?)$/, '?'],
  [/^(?:the |de )?(?:jaren )?(\d{3})0s?$/i, 'X'],
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
  const expected = `expected a calendar date written YYYY-MM-DD, got "${String(input)}"`;
  if (SERIAL.test(date)) {
    const day = new Date(Date.UTC(1899, 11, 30) + Number(date) * 86_400_000).toISOString().slice(0, 10);
    return `${expected}, which may be the spreadsheet number for ${day}; format the column as text and write that date`;
  }
  const [, day = '', month = '', year] = DAY_FIRST.exec(date) ?? [];
  const dayFirst = year && isoDate(year, month, day);
  if (dayFirst && isCalendarDate(dayFirst)) return `${expected}; if the day comes first, write ${dayFirst}`;
  const written = rewrite(date);
  return written === undefined ? expected : `${expected}; write ${written}`;
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

/** The ISO 8601 or EDTF form of a date that is written in another way; undefined if it is not understood. */
function rewrite(date: string): string | undefined {
  for (const pattern of WRITTEN) {
    const { year, month, name, day } = pattern.exec(date)?.groups ?? {};
    const iso = year && isoDate(year, month ?? monthNamed(name), day);
    if (iso && toEdtf(iso)) return iso;
  }
  for (const [pattern, ending] of INEXACT) {
    const known = pattern.exec(date)?.[1];
    if (known)
      return `${known}${ending}, and set partial_dates to first-day in the description of the archive`;
  }
  return undefined;
}

function isoDate(year: string, month: string, day: string | undefined): string {
  return [year, month.padStart(2, '0'), ...(day ? [day.padStart(2, '0')] : [])].join('-');
}

/** The number of a month by its name or abbreviation; 0 if it is no month. */
function monthNamed(name = ''): string {
  const start = name.slice(0, 3).toLowerCase();
  return String(MONTHS.findIndex((starts) => starts.includes(start)) + 1);
}
