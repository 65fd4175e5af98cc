import { compileDatePattern, type DateReader } from '@archiefkast/bundle/written-dates';
import { CellText } from './cell-text.ts';
import type { Value } from './import-map.ts';
import { personName } from './person-names.ts';

/** Reads the text of a column of a row. */
export type ReadColumn = (column: string) => CellText;

/** The texts that a value has in a row: trimmed, without empty ones. */
export type RowValue = (read: ReadColumn) => CellText[];

/** Compiles a value of a map. */
export function compileValue(value: Value): RowValue {
  const source = compileSource(value);
  const { list, after, after_last, before, before_last, replace, name, path } = value;
  const dates = (value.date ?? [])
    .map(compileDatePattern)
    .filter((each): each is DateReader => typeof each === 'function');
  const convert = (text: string): string => {
    for (const readDate of dates) {
      const date = readDate(text);
      if (date !== undefined) return date;
    }
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

function compileSource({ column, join, first, constant, with: between = ' ' }: Value): RowValue {
  if (column !== undefined) return (read) => [read(column)];
  if (first) {
    const values = first.map(compileValue);
    return (read) => values.map((value) => value(read)).find((texts) => texts.length > 0) ?? [];
  }
  if (!join) return () => [new CellText(constant ?? '')];
  const parts = join.map((part) => ({ texts: compileValue(part), isConstant: part.constant !== undefined }));
  return (read) => {
    const texts = parts.map(({ texts, isConstant }) => ({ texts: texts(read), isConstant }));
    // Constants alone are no text of the row.
    if (!texts.some((part) => !part.isConstant && part.texts.length > 0)) return [];
    return [
      CellText.join(
        texts.flatMap((part) => part.texts),
        between,
      ),
    ];
  };
}

/** The columns that a value reads, each with its path in the map. */
export function columnsOf(
  value: Value,
  path: readonly PropertyKey[],
): { column: string; path: readonly PropertyKey[] }[] {
  if (value.column !== undefined) return [{ column: value.column, path }];
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
