/** Days in each month, with 29 for February. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether `text` is a calendar date written `YYYY-MM-DD` (ISO 8601). 29 February is accepted in every fourth
 * year: archives contain dates of the Julian calendar, in which 1500 was a leap year.
 */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  const isLeap = Number(text.slice(0, 4)) % 4 === 0;
  return day >= 1 && day <= (month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 0));
}

/**
 * The parts of a date that are known. The last digits of a year without month may be unknown, written X: `165X` is one of
 * the years 1650–1659.
 */
export interface DateParts {
  year: string;
  month: string | undefined;
  day: string | undefined;
  isApproximate: boolean;
  isUncertain: boolean;
}

/**
 * The part of EDTF (ISO 8601-2, level 1) that archives use: a day, month or year, a year without its last digits, and
 * `~` for approximate, `?` for uncertain, `%` for both.
 */
export const EDTF = /^(?:(\d{4})-(\d{2})(?:-(\d{2}))?|(\d{4}|\d{3}X|\d{2}XX))([~?%]?)$/;

/** The known parts of an EDTF date; undefined if it is invalid. */
export function partsOfDate(edtf: string): DateParts | undefined {
  const [found, ofMonth, month, day, alone, qualifier = ''] = EDTF.exec(edtf) ?? [];
  if (found === undefined) return undefined;
  if (month !== undefined && !isCalendarDate(`${ofMonth}-${month}-${day ?? '01'}`)) return undefined;
  return {
    year: ofMonth ?? alone ?? '',
    month,
    day,
    isApproximate: qualifier === '~' || qualifier === '%',
    isUncertain: qualifier === '?' || qualifier === '%',
  };
}

/** The first day that an EDTF date can be, as `YYYY-MM-DD`; undefined if the date is invalid. */
export function firstDayOf(edtf: string): string | undefined {
  const parts = partsOfDate(edtf);
  return parts && `${parts.year.replaceAll('X', '0')}-${parts.month ?? '01'}-${parts.day ?? '01'}`;
}

const CIRCA = /^(?:c\.?|ca\.?|circa|omstreeks)\s*(?=\d)/i;
const UNKNOWN_PARTS = /(?:-XX){1,2}(?=[~?%]?$)/;

/**
 * Converts a date as archives write it to EDTF: also `c. 1650`, `165x` and `1650-XX-XX`.
 *
 * @returns undefined if the date is not understood
 */
export function toEdtf(text: string): string | undefined {
  const given = text.trim().replace(CIRCA, '');
  const edtf = given.toUpperCase().replace(UNKNOWN_PARTS, '');
  const parts = partsOfDate(edtf);
  if (!parts || given === text.trim()) return parts && edtf;
  return edtf.replace(/[~?%]?$/, parts.isUncertain ? '%' : '~');
}
