import { isCalendarDate } from '@archiefkast/types';

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
