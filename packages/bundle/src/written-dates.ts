import { firstDayOf, isCalendarDate, partsOfDate, toEdtf } from '@archiefkast/types/internal';

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
  `^(?:anno +|a[o°]\\.? +|in (?:het jaar|den jare|the year) +)?(?:(?:${namesOf(7, { weekday: 'long' })
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

/** A date of its parts: the month a number or a name, month and day possibly empty; undefined if they make none. */
export function dateOf(year: string, month = '', day = ''): string | undefined {
  const number = /^\d*$/.test(month) ? month : monthNamed(month.replace(/\.$/, ''));
  if (!/^\d{4}$/.test(year) || number === undefined || !/^\d*$/.test(day) || (number === '' && day !== ''))
    return undefined;
  const known = [number, day].filter((part) => part !== '');
  const date = [year, ...known.map((part) => part.padStart(2, '0'))].join('-');
  return isCalendarDate(date + '-01-01'.slice(date.length - 4)) ? date : undefined;
}

/**
 * Compiles a date pattern: `YYYY` year, `MM` or `M` month, `MMMM` name of the month (English or Dutch, or abbreviated),
 * `DD` or `D` day, also `1st` or `1e`, also after a day of the week; everything else stands for itself. Dates after a word for
 * about, as genealogists write them (`ABT`, `EST`, `CAL`), are approximate; what one interpreted from a text, `INT 1703 (Easter)`, is
 * uncertain.
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
    const [, interpreted] = INTERPRETED.exec(text) ?? [];
    const given = interpreted ?? text;
    const exact = toEdtf(given) === undefined ? given.replace(ABOUT, '') : given;
    const found = expression.exec(exact) ?? expression.exec(exact.replace(BEFORE, ''));
    const { year = '', name, month = name, day } = found?.groups ?? {};
    const date = dateOf(year, month, day);
    const sign = interpreted === undefined ? '~' : '?';
    return date !== undefined && exact !== text ? `${date}${sign}` : date;
  };
}

/** The ways in which people write dates; of two that fit alike, the first is likelier. */
export const WRITTEN_DATES = [
  ...['D-M-YYYY', 'M-D-YYYY', 'D/M/YYYY', 'M/D/YYYY', 'D.M.YYYY', 'M.D.YYYY', 'D M YYYY', 'M D YYYY'],
  ...['YYYY-M-D', 'YYYY/M/D', 'YYYY.M.D', 'YYYY M D', 'YYYYMMDD'],
  ...['D MMMM YYYY', 'D. MMMM YYYY', 'D-MMMM-YYYY', 'D.MMMM.YYYY', 'D/MMMM/YYYY', 'D MMMM, YYYY'],
  ...['D of MMMM YYYY', 'D of MMMM, YYYY', 'MMMM D, YYYY', 'MMMM D YYYY', 'YYYY MMMM D', 'YYYY-MMMM-D'],
  ...['MMMM YYYY', 'MMMM, YYYY', 'MMMM-YYYY', 'YYYY MMMM', 'M-YYYY', 'M/YYYY', 'YYYY-M', 'YYYY/M', 'YYYY.0'],
].flatMap(dateReader);

/** A date pattern with its reader; nothing if it is none. */
export function dateReader(pattern: string): { pattern: string; read: DateReader }[] {
  const read = compileDatePattern(pattern);
  return typeof read === 'function' ? [{ pattern, read }] : [];
}

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

/** Other forms of dates, each with how its parts are written in EDTF. */
const FORMS: readonly (readonly [form: RegExp, write: (...parts: string[]) => string])[] = [
  [/^(\d{4})$/, (year) => year],
  [/^(\d{3})$/, (year) => `0${year}`],
  [/^(?:the |de )?(?:jaren )?(\d{3})0['’]?s?$/i, (decade) => `${decade}X`],
  [
    /^(?:the |de )?(\d{1,2})(?:e|de|ste|th|st|nd|rd)? ?(?:eeuw|century|c\.)$/i,
    (number) => `${String(Number(number) - 1).padStart(2, '0')}XX`,
  ],
  [/^(\d{4}(?:-(?!00)\d\d)?)(?:-00)+$/, (known) => known],
  [
    /^(?:early|late|mid|begin|eind|spring|summer|autumn|fall|winter|voorjaar|lente|zomer|najaar|herfst)[ -](?:of |van )?(\d{4})$/i,
    (year) => year,
  ],
];

const ADVISED: readonly { pattern?: string; read: DateReader }[] = [
  ...WRITTEN_DATES,
  ...FORMS.map(([form, write]) => ({
    read(text: string) {
      const [found, ...parts] = form.exec(text) ?? [];
      return found && write(...parts);
    },
  })),
];

const IN_TEXT = 'leave it empty and mention it in the text';

/** Forms of dates that cannot be written as one, each with what to do; `$1` and so on are parts of the text. */
const OTHERS: readonly (readonly [form: RegExp, advice: string])[] = [
  [
    /^(?:c\w*\.? ?)?(?:bet(?:ween)? |tussen |from |van )?(\d{4}) ?(?:[-–—/]|to|and|tot|en|t\/m|of|or) ?(?:c\w*\.? ?)?(\d{4})$/i,
    'the date_start of a period is $1, and its date_end $2',
  ],
  [
    /^(\d\d)(\d\d) ?[-–—/] ?((?!0\d|1[0-2])\d\d)$/,
    'the date_start of a period is $1$2, and its date_end $1$3',
  ],
  [
    /^-\d+.*|.*\d ?(?:bce?|b\.c\.|v\.? ?chr\.?)$/i,
    `years before the common era cannot be written: ${IN_TEXT}`,
  ],
  [
    /^(?:bef(?:ore)?|voor|vóór|uiterlijk|<) ?(\d{4})$/i,
    `only an end is known: ${IN_TEXT}, or write date_end $1 of an event`,
  ],
  [
    /^(?:aft(?:er)?|na|vanaf|since|sinds|>) ?(\d{4})$/i,
    `only a start is known: ${IN_TEXT}, or write date_start $1 of an event`,
  ],
  [/^\d{1,2}[-/. ](?:\d{1,2}|\p{L}+\.?)[-/. ]['’]?\d\d$/u, 'write the year with four digits'],
  [/^(?:\d{1,2}\.? \p{L}{3,}\.?|\p{L}{3,}\.? \d{1,2})$/u, 'the year is missing'],
  [
    /^(?:[?-]+|n\.?d\.?|s\.?d\.?|z\.?j\.?|unknown|onbekend|undated|ongedateerd|n\/a|null)$/i,
    'leave it empty where nothing is known',
  ],
  [/^(?:\d{4}-\d\d-\d\d|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{4})$/, 'it is no day of the calendar'],
];

/** What to do with a date that is written in another way; empty if it is not understood. */
function adviceFor(date: string): string {
  if (/^\d{5}$/.test(date)) {
    const day = new Date(Date.UTC(1899, 11, 30) + Number(date) * 86_400_000).toISOString().slice(0, 10);
    return `, which may be the spreadsheet number for ${day}; format the column as text and write that date`;
  }
  const found = writtenAs(date);
  if (found) return `; ${found}`;
  const [form, advice] = OTHERS.find(([form]) => form.test(date)) ?? [];
  if (form && advice) return `; ${date.replace(form, advice)}`;
  const years = date.match(/(?<!\d)\d{4}(?!\d)/g) ?? [];
  return years.length === 1 && !/^\d/.test(date.replace(years[0], ''))
    ? `; if only its year is known, write ${years[0]}`
    : '';
}

/** A date that was interpreted from a text, which follows it (GEDCOM 5.5.1, DATE_VALUE). */
const INTERPRETED = /^int\.? (.+?) \(.*\)$/i;

/** What says that a date is approximate or uncertain. */
const ABOUT =
  /^(?:(?:circa|ca|c|abt|est|cal|plm|about|around|approximately|approx|rond|omstreeks|omstr|ongeveer|ong)(?:\. *| +|(?=\d))|[±~] *)/i;
const PERHAPS =
  /^(?:probably|possibly|perhaps|waarschijnlijk|mogelijk|vermoedelijk|misschien|wsch|verm)\.? +/i;
const BRACKETS = /^\[(.*?)\??\]$|^(.*?) ?\(?\?\)?$/;

/** How a date is to be written that is understood. */
function writtenAs(date: string): string | undefined {
  const withoutTime = date.replace(/[T ]\d\d?:\d\d(?::\d\d)?.*$/, '');
  const about = withoutTime.replace(ABOUT, '');
  const text = about.replace(PERHAPS, '').replace(BRACKETS, '$1$2');
  const isAbout = about !== withoutTime;
  const sign = text === about ? (isAbout ? '~' : '') : isAbout ? '%' : '?';
  for (const { pattern = '', read } of ADVISED) {
    const known = read(text);
    if (known === undefined) continue;
    const order = /^D.M.Y/.test(pattern) ? 'if the day comes first, ' : '';
    const setting = ', and set partial_dates to first-day in the description of the archive';
    return `${order}write ${known}${sign}${isCalendarDate(known + sign) ? '' : setting}`;
  }
  return undefined;
}
