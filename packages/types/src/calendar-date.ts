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
