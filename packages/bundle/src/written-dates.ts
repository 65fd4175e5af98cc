import { isCalendarDate } from '@archiefkast/types';

/** Converts a text to `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; undefined if it does not have the form of the pattern. */
export type DateReader = (text: string) => string | undefined;

/** A run of letters that is a part of a date; letters around it make it a word, such as the D of "Died". */
const PARTS = /(?<!\p{L})(?:YYYY|MMMM|MM|M|DD|D)+(?!\p{L})/gu;
const PART = /YYYY|MMMM|MM|M|DD|D/g;

/** The names of the months, or days of the week, in English and Dutch. */
function namesOf(count: number, part: Intl.DateTimeFormatOptions): string[] {
  return ['en', 'nl'].flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { ...part, timeZone: 'UTC' });
    const step = part.month ? 30.5 * 86_400_000 : 86_400_000;
    const start = Date.UTC(2001, 0, 15);
    return Array.from({ length: count }, (_, index) => format.format(start + index * step).toLowerCase());
  });
}

const MONTHS = namesOf(12, { month: 'long' });

/** Months that are written otherwise than by the first letters of their names, as in older texts. */
const OTHER_MONTHS: readonly (readonly [name: RegExp, month: string])[] = [
  [/^mrt$|^mrch$|^mch$/, '3'],
  [/^(?:7|sept?e?m?)b(?:e?r|ris)$|^septr$/, '9'],
  [/^(?:8|o[ck]to?)b(?:e?r|ris)$|^o[ck]tr$/, '10'],
  [/^(?:9|nove?m?)b(?:e?r|ris)$|^novr$/, '11'],
  [/^(?:10|x|dece?m?)b(?:e?r|ris)$|^decr$/, '12'],
  [/^jan[ry]y?$/, '1'],
  [/^feb[ry]y?$/, '2'],
  [/^ma[iy]j?$|^meij$/, '5'],
  [/^jun[iy]j?$/, '6'],
  [/^jul[iy]j?$/, '7'],
];

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];

/** The number of a month by its name, the first letters of it, or its Roman number; undefined if it is no month. */
function monthNamed(name: string): string | undefined {
  const start = name.toLowerCase();
  const other = OTHER_MONTHS.find(([pattern]) => pattern.test(start));
  if (other) return other[1];
  const index =
    name.length < 3 || ROMAN.includes(name)
      ? ROMAN.indexOf(name)
      : MONTHS.findIndex((month) => month.startsWith(start));
  return index < 0 ? undefined : String((index % 12) + 1);
}

/** What may stand before a date: a day of the week, also abbreviated, or an article. */
const BEFORE = new RegExp(
  `^(?:(?:${namesOf(7, { weekday: 'long' })
    .flatMap((day) => [day, day.slice(0, 3), day.slice(0, 2)])
    .join('|')})\\.?,? +)?(?:(?:the|den|de|on|op) +)?`,
  'i',
);

const EXPRESSIONS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MMMM: '(?<name>\\p{L}{3,}|[IVX]{1,4}|(?:[789]|10)b(?:e?r|ris))\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})(?:(?:e|de|ste|en|den|sten|st|nd|rd|th)\\.?)?',
};

/**
 * Compiles a date pattern: `YYYY` year, `MM` or `M` month, `MMMM` name of the month (English or Dutch, or abbreviated),
 * `DD` or `D` day, also `1st` or `1e`, also after a day of the week; everything else stands for itself.
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
    const {
      year,
      name,
      month = name && monthNamed(name),
      day,
    } = (expression.exec(text) ?? expression.exec(text.replace(BEFORE, '')))?.groups ?? {};
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
  ...['D MMMM YYYY', 'D. MMMM YYYY', 'D-MMMM-YYYY', 'D.MMMM.YYYY', 'D/MMMM/YYYY', 'D MMMM, YYYY'],
  ...['D of MMMM YYYY', 'D of MMMM, YYYY', 'MMMM D, YYYY', 'MMMM D YYYY', 'YYYY MMMM D', 'YYYY-MMMM-D'],
  ...['MMMM YYYY', 'MMMM, YYYY', 'MMMM-YYYY', 'YYYY MMMM', 'M-YYYY', 'M/YYYY', 'YYYY-M', 'YYYY/M', 'YYYY.0'],
].flatMap((pattern) => {
  const read = compileDatePattern(pattern);
  return typeof read === 'function' ? [{ pattern, read }] : [];
});
