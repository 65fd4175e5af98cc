/** Days in each month, with 29 for February. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether `text` is a calendar date written `YYYY-MM-DD` (ISO 8601). 29 February is accepted in every fourth
 * year: archives hold dates of the Julian calendar, in which 1500 was a leap year.
 */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (!year || !month || !day) return false;
  const days = DAYS[Number(month) - 1] ?? 0;
  const leap = Number(year) % 4 === 0;
  return Number(day) >= 1 && Number(day) <= (month === '02' && !leap ? 28 : days);
}
