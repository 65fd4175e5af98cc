/** The built-in date formats (ECMA-376 part 1, 18.8.30, including those of East Asia). */
const BUILT_IN = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);

/** Whether a number format shows a date: by built-in number, or by the code of a custom format. */
export function isDateFormat(number: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN.has(number);
  // An unclosed quote or bracket extends to the end; otherwise `[[[[…` would take quadratic time.
  const [shown = ''] = code.replaceAll(/"[^"]*"?|\\.|\[[^\]]*\]?|_.|\*./g, '').split(';', 1);
  return /[dy]/i.test(shown);
}

const DAY = 24 * 60 * 60 * 1000;

/** Days between the epochs of the two date systems. */
const SYSTEM_1904 = 1462;

/** Serial number of 29 February 1900, which exists in Excel but not in the calendar. */
const NO_SUCH_DAY = 60;

/** The first day of the Gregorian calendar; programs differ on earlier days. */
const GREGORIAN = '1582-10-15';

/**
 * Converts a date number of a spreadsheet to `YYYY-MM-DD`, without time of day or time zone. Days before 1900 are
 * negative: LibreOffice supports them, Excel does not.
 *
 * @param is1904 whether the workbook uses the 1904 date system of Excel for the Macintosh
 * @returns undefined if the number is out of range, or before the Gregorian calendar
 */
export function dateOfSerial(serial: number, is1904 = false): string | undefined {
  const days = Math.floor(serial) + (is1904 ? SYSTEM_1904 : 0);
  if (days === NO_SUCH_DAY) return undefined;
  const shift = days >= 1 && days < NO_SUCH_DAY ? 1 : 0;
  const time = Date.UTC(1899, 11, 30) + (days + shift) * DAY;
  if (Number.isNaN(time) || Math.abs(time) > 8.64e15) return undefined;
  const text = new Date(time).toISOString();
  return /^\d{4}-/.test(text) && text >= GREGORIAN ? text.slice(0, 10) : undefined;
}
