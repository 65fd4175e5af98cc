const DAY = 24 * 60 * 60 * 1000;

/** Days between the epochs of the two date systems. */
const SYSTEM_1904 = 1462;

/** How the program that saved a workbook counts days. */
export interface DateSystem {
  /** Whether day 0 is 1 January 1904, as in Excel for the Macintosh once. */
  is1904: boolean;
  /**
   * The name of the program in `fileVersion`: `xl` is Excel, where day 1 is 1 January 1900 and day 60 the 29 February of
   * that year, which never was; `Calc` is LibreOffice, where day 1 is 31 December 1899. They agree from day 61 on.
   */
  program?: string | undefined;
}

/** Serial number of 29 February 1900, which exists in Excel but not in the calendar. */
const NO_SUCH_DAY = 60;

/** The first day of the Gregorian calendar; programs differ on earlier days. */
const GREGORIAN = '1582-10-15';

/**
 * Converts a date number of a spreadsheet to the day that its program shows, as `YYYY-MM-DD` without time of day or time
 * zone. Days before 1900 are negative: LibreOffice supports them, Excel does not.
 *
 * @returns a fault if the number is out of range, before the Gregorian calendar, or another day in another program and
 * the program is unknown
 */
export function dateOfSerial(serial: number, { is1904, program }: DateSystem): string | { fault: string } {
  const day = Math.floor(serial) + (is1904 ? SYSTEM_1904 : 0);
  const isDisputed = day >= 0 && day <= NO_SUCH_DAY && program !== 'Calc';
  if (!isDisputed) return dayAt(day) ?? refused(serial, 'out of range or before 15 October 1582');
  const inExcel = day >= 1 && day < NO_SUCH_DAY ? dayAt(day + 1) : undefined;
  if (program === 'xl') return inExcel ?? refused(serial, 'not a day of the calendar');
  return refused(serial, `${inExcel ?? 'no day'} in Excel, but ${dayAt(day)} in LibreOffice`);
}

function refused(serial: number, why: string): { fault: string } {
  return { fault: `contains the date number ${serial}, which is ${why}; write the date as text, YYYY-MM-DD` };
}

/** The day a number of days after 30 December 1899; undefined if it is out of range. */
function dayAt(days: number): string | undefined {
  const time = Date.UTC(1899, 11, 30) + days * DAY;
  if (Number.isNaN(time) || Math.abs(time) > 8.64e15) return undefined;
  const text = new Date(time).toISOString();
  return /^\d{4}-/.test(text) && text >= GREGORIAN ? text.slice(0, 10) : undefined;
}
