import { compileDatePattern, type DateReader, dateOf } from '@archiefkast/bundle/written-dates';
import { CellText } from './cell-text.ts';
import { readDegrees, readRd } from './coordinates.ts';
import type { Value } from './import-map.ts';
import { personName } from './person-names.ts';

/** Reads the text of a column of a row. */
export type ReadColumn = (column: string) => CellText;

/** The texts that a value has in a row: trimmed, without empty ones. */
export type RowValue = (read: ReadColumn) => CellText[];

/**
 * Compiles a value of a map.
 *
 * @param isDate whether the empty texts of a join keep their place, so that no day is read as a month
 */
export function compileValue(value: Value, isDate = false): RowValue {
  const source = compileSource(value, isDate);
  const { list, after, after_last, before, before_last, replace, name, path, degrees, rd } = value;
  const dates = (value.date ?? [])
    .map(compileDatePattern)
    .filter((each): each is DateReader => typeof each === 'function');
  const convert = (text: string): string => {
    for (const readDate of dates) {
      const date = readDate(text);
      if (date !== undefined) return date;
    }
    if (degrees) return readDegrees(text, degrees) ?? text;
    if (rd) return readRd(text, rd) ?? text;
    return path === undefined
      ? text
      : termsOf(new CellText(text), path)
          .map((term) => term.text)
          .join(path);
  };
  const step = (given: CellText): CellText => {
    let cut = given;
    if (after !== undefined) cut = partAfter(cut, cut.text.indexOf(after), after);
    if (after_last !== undefined) cut = partAfter(cut, cut.text.lastIndexOf(after_last), after_last);
    if (before !== undefined) cut = partBefore(cut, cut.text.indexOf(before));
    if (before_last !== undefined) cut = partBefore(cut, cut.text.lastIndexOf(before_last));
    cut = cut.trim();
    if (replace && Object.hasOwn(replace, cut.text)) cut = cut.as((replace[cut.text] ?? '').trim());
    const { text } = cut;
    if (name === 'title') return cut.as(personName(text)?.title ?? text);
    // What a date was interpreted from is no part of it.
    const phrase = dates.length > 0 ? text.search(/(?<=^int\b.*) \(/i) : -1;
    if (phrase >= 0) cut = cut.slice(0, phrase);
    return name === undefined ? cut.as(convert(text)) : cut.wordsAs(personName(text)?.[name] ?? '');
  };
  return (read) => {
    const texts = source(read);
    const parts = list === undefined ? texts.slice(0, 1) : texts.flatMap((text) => text.split(list));
    return parts.map((text) => step(text.trim())).filter(({ text }) => text !== '');
  };
}

/** The terms of a path, from the broadest on. */
export function termsOf(text: CellText, separator: string): CellText[] {
  const terms = text.split(separator.trim() || separator).map((term) => term.trim());
  return terms.filter((term) => term.text !== '');
}

function compileSource(
  { column, join, first, constant, year, month, day, with: between = ' ' }: Value,
  isDate: boolean,
): RowValue {
  if (year !== undefined)
    return (read) => dateOfParts([year, month, day].map((part) => part && read(part).trim()));
  if (column !== undefined) return (read) => [read(column)];
  if (first) {
    const values = first.map((each) => compileValue(each, isDate));
    return (read) => values.map((value) => value(read)).find((texts) => texts.length > 0) ?? [];
  }
  if (!join) return () => [new CellText(constant ?? '')];
  const parts = join.map((part) => ({ texts: compileValue(part), isConstant: part.constant !== undefined }));
  return (read) => {
    const texts = parts.map(({ texts, isConstant }) => ({ texts: texts(read), isConstant }));
    // Constants alone are no text of the row.
    if (!texts.some((part) => !part.isConstant && part.texts.length > 0)) return [];
    const filled = texts.flatMap((part) => part.texts);
    if (!isDate || filled.length < 2) return [CellText.join(filled, between)];
    const last = texts.findLastIndex((part) => part.texts.length > 0);
    const placed = texts.slice(0, last + 1).map((part) => part.texts[0] ?? new CellText(''));
    return [CellText.join(placed, between)];
  };
}

/** A date of its parts, of which month and day may be missing, or zeros: the year alone if only the month is; else their texts. */
function dateOfParts(parts: readonly (CellText | undefined | '')[]): CellText[] {
  const texts = parts.map((part) => part || new CellText(''));
  const given = CellText.join(
    texts.filter(({ text }) => text !== ''),
    ' ',
  );
  const [year = '', month, day] = texts.map(({ text }) => text.replace(/^0+$/, ''));
  const date = dateOf(year, month, day);
  if (texts[0] && !month && day && dateOf(year) !== undefined) return [texts[0].as(year)];
  return given.text === '' ? [] : [date === undefined ? given : given.as(date)];
}

/** The columns that a value reads, each with its path in the map. */
export function columnsOf(
  value: Value,
  path: readonly PropertyKey[],
): { column: string; path: readonly PropertyKey[] }[] {
  const { column, year, month, day } = value;
  const own = [column, year, month, day].filter((name) => name !== undefined);
  if (own.length > 0) return own.map((name) => ({ column: name, path }));
  return (['join', 'first'] as const).flatMap((step) =>
    (value[step] ?? []).flatMap((part, index) => columnsOf(part, [...path, step, index])),
  );
}

function partAfter(text: CellText, at: number, separator: string): CellText {
  return at < 0 ? new CellText('') : text.slice(at + separator.length);
}

function partBefore(text: CellText, at: number): CellText {
  return at < 0 ? text : text.slice(0, at);
}
