import type { Cell } from './cells.ts';

/** The text that a cell shows for its number, which is given as it is stored; or why that cannot be known. */
export type ShowNumber = (stored: string, system: DateSystem) => Cell;

/** The built-in formats of dates, times and percent (ECMA-376 part 1, 18.8.30, including those of East Asia). */
const BUILT_IN: ReadonlyMap<number, string> = new Map(
  Object.entries({
    '0%': [9],
    '0.00%': [10],
    'y-m-d': [14, 15, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58],
    'd-m': [16],
    'y-m': [17],
    'h:m': [18, 20],
    'h:m:s': [19, 21],
    'y-m-d h:m': [22],
    'm:s': [45, 47],
    '[h]:m:s': [46],
  }).flatMap(([format, numbers]) => numbers.map((number) => [number, format] as const)),
);

/** A part of a format: a mark that stands for a part of the number, or a text that is shown as it is. */
interface Part {
  mark: string;
  text: string;
}

/** Quoted and escaped texts, brackets, spaces and fillings, then marks. What is unclosed extends to the end, in linear time. */
const PARTS = /"[^"]*"?|\\.?|\[[^\]]*\]?|[_*].?|General|AM\/PM|A\/P|E[+-]|./gis;

/**
 * Compiles a number format: a custom code, or the number of a built-in one.
 *
 * @returns undefined if it shows a plain number
 */
export function compileFormat(number: number, code = BUILT_IN.get(number)): ShowNumber | undefined {
  if (code === undefined || /^(?:General|@|[#,]*[0#])$/i.test(code)) return undefined;
  const sections = sectionsOf(code);
  const marks = (sections[0] ?? []).map(({ mark }) => mark || ' ').join('');
  if (/[ymdhs]/i.test(marks.replaceAll(/General/gi, ''))) return showDate(marks.toLowerCase());
  return (stored) => showNumber(sections, stored) ?? plainNumber(stored);
}

/** The text of a number without a format. Of more than 15 digits, spreadsheets keep 15. */
export function plainNumber(stored: string): Cell {
  if (/^-?[1-9]\d*$/.test(stored)) return stored;
  const number = Number(stored);
  if (Math.abs(number) < 1e15) return String(number);
  return { fault: `contains the number ${stored}, of which only 15 digits are stored; write it as text` };
}

/** The sections of a code: for positive numbers, negative ones, zero. */
function sectionsOf(code: string): Part[][] {
  const sections: Part[][] = [[]];
  for (const [part] of code.matchAll(PARTS)) {
    if (part === ';') sections.push([]);
    else sections.at(-1)?.push(partOf(part));
  }
  return sections;
}

function partOf(part: string): Part {
  const text = (text = '') => ({ mark: '', text });
  if (part.startsWith('"')) return text(part.replaceAll('"', ''));
  if (part.startsWith('\\')) return text(part.slice(1));
  if (part.startsWith('[')) {
    if (/^\[(?:[hms]+\]|[<>=])/i.test(part)) return { mark: part, text: '' };
    return text(/^\[\$([^\]-]*)/.exec(part)?.[1]);
  }
  if (/^(?:[_*]|AM\/PM$|A\/P$)/i.test(part)) return text();
  return /^(?:[0#?.,%/@ymdhse]|General|E[+-])$/i.test(part) ? { mark: part, text: '' } : text(part);
}

function marksOf(parts: readonly Part[]): string {
  return parts.map(({ mark }) => mark).join('');
}

/** Shows as much of a date and time as the marks of its format do. */
function showDate(marks: string): ShowNumber {
  // An M beside an H or S stands for minutes.
  const parts = marks.replaceAll(/h\]?[^a-z]*m{1,2}(?!m)|m{1,2}\]?(?=[^a-z]*s)/g, 'h');
  const [hasYear, hasMonth, hasTime] = [/[ye]/, /m/, /[hs]/].map((part) => part.test(parts));
  const hasDay = /(?<!d)d{1,2}(?!d)/.test(parts);
  return (stored, system) => {
    const serial = Number(stored);
    const seconds = Math.round(serial * 86_400);
    if (hasTime && !hasYear && !hasMonth && !hasDay) {
      const shown = parts.includes('[') ? seconds : seconds - 86_400 * Math.floor(seconds / 86_400);
      return timeOf(shown, parts.includes('s'));
    }
    const day = dateOfSerial(seconds / 86_400, system);
    if (typeof day !== 'string') return day;
    if (!hasYear)
      return { fault: `shows a date without its year, which may be ${day.slice(0, 4)}; write it as text` };
    if (!hasDay) return hasMonth ? day.slice(0, 7) : day.slice(0, 4);
    const ofDay = seconds - 86_400 * Math.floor(seconds / 86_400);
    return hasTime && ofDay > 0 ? `${day} ${timeOf(ofDay, false)}` : day;
  };
}

function timeOf(seconds: number, hasSeconds: boolean): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts
    .slice(0, hasSeconds || seconds % 60 > 0 ? 3 : 2)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Shows a number with the texts and zeros of its format, and with all of its digits; undefined if the format adds none. */
function showNumber(sections: readonly Part[][], stored: string): Cell | undefined {
  const number = Number(stored);
  const [first = []] = sections;
  if (sections.some((parts) => /\[[<>=]/.test(marksOf(parts)))) {
    const isPlain = sections.every((parts) => parts.every(({ text }) => text.trim() === ''));
    return isPlain
      ? undefined
      : { fault: 'has a number format with conditions; write what it shows as text' };
  }
  const ofZero = number === 0 ? sections[2] : undefined;
  const ofNegative = number < 0 ? sections[1] : undefined;
  const shown = fill(ofZero ?? ofNegative ?? first, Math.abs(number));
  return number < 0 && !ofNegative && shown !== undefined ? `-${shown}` : shown;
}

/** Fills the places of a section from the right; digits that have none stand before the first. */
function fill(parts: readonly Part[], number: number): string | undefined {
  const marks = marksOf(parts);
  if (/[/@]|E[+-]|[0#?],+(?![0#?,])/i.test(marks)) return undefined;
  const percent = marks.split('%').length - 1;
  const digits = String(Number((number * 100 ** percent).toPrecision(15)));
  if (digits.includes('e')) return undefined;
  const [whole = '', fraction = ''] = digits.split('.');
  const isGeneral = /General/i.test(marks);
  const last = parts.findLastIndex(({ mark }) => /^(?:[0#?]|General)$/i.test(mark));
  const point = parts.findIndex(({ mark }) => mark === '.');
  const integer = parts.slice(0, point >= 0 && point < last ? point : last + 1);
  const zeros = parts.slice(integer.length, last + 1).filter(({ mark }) => mark === '0').length;
  let places = integer.filter(({ mark }) => /^[0#?]$/.test(mark)).length;
  let rest = whole === '0' ? '' : whole;
  const shown = integer.toReversed().map(({ mark, text }) => {
    if (/General/i.test(mark)) return digits;
    if (!/^[0#?]$/.test(mark)) return text;
    places -= 1;
    const digit = places === 0 ? rest : rest.slice(-1);
    rest = rest.slice(0, rest.length - digit.length);
    return digit || (mark === '0' ? '0' : '');
  });
  const decimals = last < 0 || isGeneral ? '' : fraction.padEnd(zeros, '0');
  const end = parts.slice(last + 1).map(({ mark, text }) => (mark === '%' ? mark : text));
  const text = [...shown.toReversed(), decimals && `.${decimals}`, ...end].join('').trim();
  return text || undefined;
}

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
