import { isPlaceholder } from '@archiefkast/bundle';
import { dateReader, WRITTEN_DATES } from '@archiefkast/bundle/written-dates';
import type { Kind } from '@archiefkast/types';
import { GENDERS } from '@archiefkast/types/internal';
import { CellText } from '../cell-text.ts';
import { COORDINATES, readDegrees } from '../coordinates.ts';
import { createFieldCheck, mayBeYears } from '../field-check.ts';
import type { FieldValue, Value } from '../import-map.ts';
import { DITTO } from '../read-source.ts';
import { compileValue } from '../row-values.ts';
import type { Source, SourceRow } from '../source.ts';

/** A value that a draft proposes for a field, and what is to be known of it. */
export interface DraftValue {
  value: FieldValue;
  why: string;
}

/** Patterns that a draft proposes: "1898/9" may be a month, but also two years. A year may stand after a word for about. */
const PATTERNS = [...WRITTEN_DATES, ...dateReader('YYYY')].filter(({ pattern }) => !/^YYYY.M$/.test(pattern));

/** A date of three numbers, of which the year is the last. */
const NUMBERS = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{4}$/;

/** How an address of a picture looks: with the ending of one, or of a IIIF server. */
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)|\/iiif\//i;

/** Reads the texts of a value from a row of a source. */
export function readerOf({ columns }: Source, value: Value): (row: SourceRow) => string[] {
  const read = compileValue(value);
  return ({ cells }) =>
    read((column) => new CellText(cells[columns.indexOf(column)] ?? '')).map(({ text }) => text);
}

/** The texts of a value in all rows of a source. */
export function textsIn(source: Source, value: Value): string[] {
  return source.rows.flatMap(readerOf(source, value));
}

/** Some texts, to be shown: the first three that differ, each cut. */
export function examplesOf(texts: readonly string[]): string {
  const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
  return [...new Set(texts)]
    .slice(0, 3)
    .map((text) => JSON.stringify(cut(text)))
    .join(', ');
}

/**
 * Proposes the value of a field, by the texts that it would have.
 *
 * @returns the value, or why none of its texts is valid in the field
 */
export function draftValue(
  source: Source,
  kind: Kind,
  field: string,
  value: Value,
): DraftValue | { fault: string } {
  const texts = textsIn(source, value);
  const isDate = /date/.test(field);
  const { steps, notes } = isDate
    ? dateSteps(source, texts)
    : { steps: { ...genderSteps(field, texts), ...degreesStep(field, texts) }, notes: [] };
  const full = { ...value, ...steps };
  const results = textsIn(source, full);
  if (field === 'image_url' && results.filter((text) => PICTURE.test(text)).length <= results.length / 2) {
    return { fault: 'few of its texts are addresses of pictures' };
  }
  const check = createFieldCheck(kind, field, 'first-day');
  const wrong = results.filter(
    (text) => !check(text) || (isDate && !steps.date?.includes('YYYY-MM') && mayBeYears(text)),
  );
  if (wrong.length === results.length) return { fault: `no text of it is valid in ${field}` };
  if (wrong.length > 0)
    notes.push(`not valid, so kept in _${field}: ${wrong.length}, such as ${examplesOf(wrong)}`);
  const absent = isDate ? [] : results.filter(isPlaceholder);
  if (absent.length > 0)
    notes.push(`IS ${examplesOf(absent)} A TEXT OR THE LACK OF ONE? replace: { text: "" } empties it`);
  const repeats = texts.filter((text) => DITTO.test(text));
  if (repeats.length > 0)
    notes.push(`DOES ${examplesOf(repeats)} REPEAT THE TEXT ABOVE? fill: in the source does it`);
  return {
    // A row may have a credit line, but no image.
    value: wrong.length > 0 || /^image_(?!url)/.test(field) ? { ...full, otherwise: 'keep' } : full,
    why: [
      `${texts.length} ${texts.length === 1 ? 'text' : 'texts'} in ${source.rows.length} rows`,
      ...notes,
    ].join('; '),
  };
}

/** The steps that make dates of texts: the patterns that read those which are no dates yet. */
function dateSteps(source: Source, texts: readonly string[]): { steps: Partial<Value>; notes: string[] } {
  if (texts.length > 0 && texts.every((text) => /^\d{4}-\d\d-\d\d[T ]/.test(text)))
    return { steps: { before: texts[0]?.charAt(10) ?? 'T' }, notes: ['without the time'] };
  const check = createFieldCheck('event', 'date', 'first-day');
  const others = texts.filter((text) => !check(text));
  const shown = dayOrder(others) ?? dayOrder(source.rows.flatMap(({ cells }) => cells));
  const patterns = PATTERNS.filter(({ pattern }) =>
    shown?.isMonthFirst ? !/^D.M.Y/.test(pattern) : !/^M.D.Y/.test(pattern),
  );
  const found = others.flatMap(
    (text) => patterns.find(({ read }) => read(text) !== undefined)?.pattern ?? [],
  );
  const isNumeric = found.some((pattern) => /^[DM].[DM].Y/.test(pattern));
  const notes = !isNumeric
    ? []
    : shown
      ? [`${shown.isMonthFirst ? 'month' : 'day'} first, as in "${shown.text}"`]
      : ['IS THE DAY FIRST? no text shows it; for the month first, write M before D'];
  const unclear = texts.filter(mayBeYears);
  const months = texts.filter((text) => /^\d{4}-\d\d$/.test(text) && check(text) && !mayBeYears(text));
  const isPeriod = others.some((text) => /^\d{4}-\d\d$/.test(text));
  if (unclear.length > 0 && months.length > 0 && !isPeriod) found.push('YYYY-MM');
  else if (unclear.length > 0) notes.push(`IS ${examplesOf(unclear)} A MONTH? date: YYYY-MM reads it as one`);
  return { steps: found.length > 0 ? { date: [...new Set(found)] } : {}, notes };
}

/** The step that reads degrees with minutes and seconds. */
function degreesStep(field: string, texts: readonly string[]): Partial<Value> {
  const part = COORDINATES.find((one) => one === field);
  const isRead = (text: string) => part && !/^-?[\d.,]+$/.test(text) && readDegrees(text, part) !== undefined;
  return texts.some(isRead) ? { degrees: part } : {};
}

/** Whether the month or the day comes first, by a text that shows it; undefined if none does. */
function dayOrder(texts: readonly string[]): { isMonthFirst: boolean; text: string } | undefined {
  for (const text of texts) {
    const [, first = '', second = ''] = NUMBERS.exec(text) ?? [];
    if (Number(first) > 12 !== Number(second) > 12) return { isMonthFirst: Number(second) > 12, text };
  }
  return undefined;
}

function genderSteps(field: string, texts: readonly string[]): Partial<Value> {
  if (field !== 'gender') return {};
  const pairs = [...new Set(texts)].flatMap((text): [string, string][] => {
    const [gender] = GENDERS.find(([, words]) => words.includes(text.toLowerCase())) ?? [];
    return gender === undefined || gender === text ? [] : [[text, gender]];
  });
  return pairs.length > 0 ? { replace: Object.fromEntries(pairs) } : {};
}

/** The separator of several texts in the cells of a column, if they have one. */
export function listSeparator(source: Source, column: string, allowsComma: boolean): string | undefined {
  const texts = textsIn(source, { column });
  const share = (separator: string) => texts.filter((text) => text.includes(separator)).length / texts.length;
  // A bar stands in no plain text; the others do, now and then.
  if (share('|') > 0) return '|';
  const found = [';', ' / '].find((separator) => share(separator) > 0.02);
  return found ?? (allowsComma && share(',') > 0.3 ? ',' : undefined);
}
