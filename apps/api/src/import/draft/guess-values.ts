import type { Kind } from '@archiefkast/types';
import { compileDatePattern } from '../../publish/bundle/date-patterns.ts';
import { cellText, createFieldCheck } from '../field-check.ts';
import type { FieldValue, Value } from '../import-map.ts';
import type { Source } from '../open-sources.ts';
import { compileValue, type ReadColumn } from '../row-values.ts';

/** A value that a draft proposes, and why. */
export interface Guess {
  value: FieldValue;
  why: string;
  /** Whether it gives dates without an exact day. */
  isPartial?: boolean;
}

/** The patterns of dates to try; of two that fit alike, the first is taken. */
const PATTERNS = [
  'D-M-YYYY',
  'M-D-YYYY',
  'D/M/YYYY',
  'M/D/YYYY',
  'D.M.YYYY',
  'YYYY-M-D',
  'YYYY/M/D',
  'YYYY.M.D',
  'YYYYMMDD',
  'D MMMM YYYY',
  'D-MMMM-YYYY',
  'MMMM D, YYYY',
  'MMMM D YYYY',
  'MMMM YYYY',
  'M-YYYY',
  'M/YYYY',
].flatMap((pattern) => {
  const read = compileDatePattern(pattern);
  return typeof read === 'function' ? [{ pattern, read }] : [];
});

const GENDERS: Readonly<Record<string, string>> = {
  m: 'male',
  male: 'male',
  man: 'male',
  mannelijk: 'male',
  f: 'female',
  v: 'female',
  female: 'female',
  woman: 'female',
  vrouw: 'female',
  vrouwelijk: 'female',
};

/** The texts of a value in all rows of a source. */
export function textsIn(source: Source, value: Value): string[] {
  const read = compileValue(value);
  return source.rows.flatMap(({ cells }) => {
    const ofColumn: ReadColumn = (column) => cells[source.columns.indexOf(column)] ?? '';
    return read(ofColumn);
  });
}

/**
 * Proposes the value of a field from a column, by the texts in it; undefined if none of them is valid in the field.
 *
 * @param value the column, or a part of it
 */
export function guessField(source: Source, kind: Kind, field: string, value: Value): Guess | undefined {
  const given = value.column === undefined ? 'several columns' : `"${value.column}"`;
  const texts = textsIn(source, value);
  if (texts.length === 0) return undefined;
  const isDate = /date/.test(field);
  const converted = isDate
    ? guessDates(texts, isMonthFirst(source))
    : { steps: field === 'gender' ? guessGenders(texts) : {}, note: '' };
  const full: FieldValue = { ...value, ...converted.steps };
  const results = textsIn(source, full);
  const check = createFieldCheck(kind, field, 'first-day');
  const wrong = results.filter((text) => check(cellText(kind, field, text)) !== undefined);
  if (wrong.length === results.length) return undefined;
  const isDay = createFieldCheck(kind, field, undefined);
  const isPartial = isDate && results.some((text) => isDay(text) !== undefined && check(text) === undefined);
  const count = `${results.length} of ${source.rows.length} rows have it`;
  const unread =
    wrong.length > 0 ? `; not valid here, and kept in _${field}: ${wrong.length}, such as "${wrong[0]}"` : '';
  return {
    value: wrong.length > 0 ? { ...full, otherwise: 'keep' } : full,
    why: `from ${given}: ${count}${converted.note}${unread}`,
    ...(isPartial ? { isPartial } : {}),
  };
}

/** The mark between two years, if most texts of a column have them: `1853–1890`. */
export function rangeMark(source: Source, column: string): string | undefined {
  const texts = textsIn(source, { column });
  const marks = texts.flatMap((text) => /\d{4}\s?([-–/])\s?(?:c\. )?\d{4}$/.exec(text)?.[1] ?? []);
  return marks.length > texts.length / 2 ? marks[0] : undefined;
}

/** Whether most texts of a column are days. */
export function isOfDays(source: Source, column: string): boolean {
  const texts = textsIn(source, { column });
  const check = createFieldCheck('event', 'date', undefined);
  const days = texts.filter(
    (text) =>
      check(text) === undefined || PATTERNS.some(({ read }) => read(text)?.length === 'YYYY-MM-DD'.length),
  );
  return days.length > texts.length * 0.8;
}

/** A date of three numbers, of which the year is the last. */
const NUMBERS = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}$/;

/** Whether months come first in the dates of a source; undefined if no date shows it. */
function isMonthFirst({ rows }: Source): boolean | undefined {
  for (const { cells } of rows) {
    for (const cell of cells) {
      const [, first = '', second = ''] = NUMBERS.exec(cell) ?? [];
      if (Number(first) > 12) return false;
      if (Number(second) > 12) return true;
    }
  }
  return undefined;
}

/** The steps that make dates of texts. */
function guessDates(
  texts: readonly string[],
  monthFirst: boolean | undefined,
): { steps: Partial<Value>; note: string } {
  if (texts.every((text) => /^\d{4}-\d\d-\d\d[T ]/.test(text))) {
    return { steps: { before: texts[0]?.charAt(10) ?? 'T' }, note: ', with a time' };
  }
  if (texts.every((text) => /^\d{4}(?:\.0)?$/.test(text)) && texts.some((text) => text.includes('.'))) {
    return { steps: { before: '.' }, note: ', written as decimal numbers' };
  }
  const check = createFieldCheck('event', 'date', 'first-day');
  let rest = texts.filter((text) => check(text) !== undefined);
  const date: string[] = [];
  let note = '';
  for (;;) {
    const scores = PATTERNS.filter(({ pattern }) => !monthFirst || !/^D.M.Y/.test(pattern)).map(
      ({ pattern, read }) => ({
        pattern,
        count: rest.filter((text) => read(text) !== undefined).length,
      }),
    );
    const best = scores.reduce((most, each) => (each.count > most.count ? each : most));
    if (best.count === 0) break;
    const other = scores.find(
      ({ pattern, count }) => count === best.count && pattern === swapped(best.pattern),
    );
    if (other && monthFirst === undefined) note = `; IS THE DAY FIRST? ${other.pattern} would fit as well`;
    date.push(best.pattern);
    const reader = PATTERNS.find(({ pattern }) => pattern === best.pattern);
    rest = rest.filter((text) => reader?.read(text) === undefined);
  }
  return { steps: date.length > 0 ? { date } : {}, note };
}

/** The pattern with the month before the day. */
function swapped(pattern: string): string | undefined {
  return /^D.M.YYYY$/.test(pattern) ? `M${pattern.charAt(1)}D${pattern.slice(3)}` : undefined;
}

function guessGenders(texts: readonly string[]): Partial<Value> {
  const pairs = [...new Set(texts)].flatMap((text): [string, string][] => {
    const gender = GENDERS[text.toLowerCase()];
    return gender === undefined || gender === text ? [] : [[text, gender]];
  });
  return pairs.length > 0 ? { replace: Object.fromEntries(pairs) } : {};
}

/** The separator of several texts in the cells of a column, if they have one. */
export function guessList(source: Source, column: string, allowsComma: boolean): string | undefined {
  const texts = textsIn(source, { column });
  const share = (separator: string) => texts.filter((text) => text.includes(separator)).length / texts.length;
  // A bar stands in no plain text; the others do, now and then.
  if (share('|') > 0) return '|';
  const found = [';', ' / '].find((separator) => share(separator) > 0.02);
  return found ?? (allowsComma && share(',') > 0.3 ? ',' : undefined);
}

/** Whether most texts are "Last, First". */
export function isLastFirst(texts: readonly string[]): boolean {
  return texts.filter((text) => /^[^,]+, [^,]+$/.test(text)).length > texts.length / 2;
}
