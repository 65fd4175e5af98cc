import { firstDayOf, isCalendarDate, partsOfDate, toEdtf } from '@archiefkast/types';
import { WRITTEN_DATES } from './written-dates.ts';

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

const SETTING = ', and set partial_dates to first-day in the description of the archive';
const IN_TEXT = 'leave it empty and mention it in the text';

/** What says that a date is approximate or uncertain. */
const ABOUT =
  /^(?:(?:circa|ca|c|about|around|approximately|approx|rond|omstreeks|omstr|ongeveer|ong)(?:\. *| +|(?=\d))|[±~] *)/i;
const PERHAPS =
  /^(?:probably|possibly|perhaps|waarschijnlijk|mogelijk|vermoedelijk|misschien|wsch|verm)\.? +/i;
const BRACKETS = /^\[(.*?)\??\]$|^(.*?) ?\(?\?\)?$/;

/** Forms of dates that are no pattern of numbers and names, each with what to write. */
const FORMS: readonly (readonly [form: RegExp, write: (...parts: string[]) => string | undefined])[] = [
  [/^(\d{4})$/, (year) => year],
  [/^(\d{3})$/, (year) => `0${year}`],
  [/^(?:the |de )?(?:jaren )?(\d{3})0['’]?s?$/i, (decade) => `${decade}X`],
  [
    /^(?:the |de )?(\d{1,2})(?:e|de|ste|th|st|nd|rd)? ?(?:eeuw|century|c\.)$/i,
    (number) => `${String(Number(number) - 1).padStart(2, '0')}XX`,
  ],
  [/^(\d{4}(?:-(?!00)\d\d)?)(?:-00)+$/, (known) => known],
  [/^(\d{4}-\d\d-\d\d)[T ]\d\d?:\d\d.*$/, (day) => day],
  [
    /^(?:early|late|mid|begin|eind|spring|summer|autumn|fall|winter|voorjaar|lente|zomer|najaar|herfst)[ -](?:of |van )?(\d{4})$/i,
    (year) => year,
  ],
];

/** Forms of dates that cannot be written as one, each with what to do; `$1` and so on are parts of the text. */
const OTHERS: readonly (readonly [form: RegExp, advice: string])[] = [
  [
    /^(?:c\w*\.? ?)?(?:between |tussen |from |van )?(\d{4}) ?(?:[-–—/]|to|and|tot|en|t\/m|of|or) ?(?:c\w*\.? ?)?(\d{4})$/i,
    'the date_start of a period is $1, and its date_end $2',
  ],
  [
    /^(\d\d)(\d\d) ?[-–—/] ?((?!0\d|1[0-2])\d\d)$/,
    'the date_start of a period is $1$2, and its date_end $1$3',
  ],
  [/^-\d+|\d ?(?:bce?|b\.c\.|v\.? ?chr\.?)$/i, `years before the common era cannot be written: ${IN_TEXT}`],
  [
    /^(?:before|voor|vóór|uiterlijk|<) ?(\d{4})$/i,
    `only an end is known: ${IN_TEXT}, or write date_end $1 of an event`,
  ],
  [
    /^(?:after|na|vanaf|since|sinds|>) ?(\d{4})$/i,
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
  for (const [form, advice] of OTHERS) {
    const [, ...parts] = form.exec(date) ?? [];
    if (form.test(date))
      return `; ${advice.replaceAll(/\$(\d)/g, (_, number) => parts[Number(number) - 1] ?? '')}`;
  }
  const years = date.match(/(?<!\d)\d{4}(?!\d)/g) ?? [];
  return years.length === 1 && !/^\d/.test(date.replace(years[0], ''))
    ? `; if only its year is known, write ${years[0]}`
    : '';
}

/** How a date is to be written that is understood. */
function writtenAs(date: string): string | undefined {
  const withoutTime = date.replace(/[T ]\d\d?:\d\d(?::\d\d)?.*$/, '');
  const isAbout = ABOUT.test(withoutTime);
  const core = withoutTime.replace(ABOUT, '').replace(PERHAPS, '');
  const [, inBrackets, before = ''] = BRACKETS.exec(core) ?? [];
  const text = inBrackets ?? (core.endsWith('?') || core.endsWith('?)') ? before : core);
  const isUncertain = text !== core || PERHAPS.test(withoutTime.replace(ABOUT, ''));
  const sign = isAbout && isUncertain ? '%' : isAbout ? '~' : isUncertain ? '?' : '';
  for (const { pattern, read } of WRITTEN_DATES) {
    const known = read(text);
    if (known === undefined) continue;
    const order = /^D.M.Y/.test(pattern) ? 'if the day comes first, ' : '';
    return `${order}write ${known}${sign}${sign === '' ? '' : SETTING}`;
  }
  for (const [form, write] of FORMS) {
    const [, ...parts] = form.exec(text) ?? [];
    const known = form.test(text) && write(...parts);
    if (known) return `write ${known}${sign}${isCalendarDate(known + sign) ? '' : SETTING}`;
  }
  return undefined;
}
