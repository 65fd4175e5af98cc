import { compileDatePattern, type DateReader } from '@archiefkast/bundle/written-dates';
import type { Value } from './import-map.ts';
import { personName } from './person-names.ts';

/** Reads the text of a column of a row. */
export type ReadColumn = (column: string) => string;

/** The texts that a value has in a row: trimmed, without empty ones. */
export type RowValue = (read: ReadColumn) => string[];

/** Compiles a value of a map. */
export function compileValue(value: Value): RowValue {
  const source = compileSource(value);
  const { list, after, after_last, before, before_last, replace, name, path } = value;
  const dates = (value.date ?? [])
    .map(compileDatePattern)
    .filter((each): each is DateReader => typeof each === 'function');
  const step = (given: string): string => {
    let text = given;
    if (after !== undefined) text = partAfter(text, text.indexOf(after), after);
    if (after_last !== undefined) text = partAfter(text, text.lastIndexOf(after_last), after_last);
    if (before !== undefined) text = partBefore(text, text.indexOf(before));
    if (before_last !== undefined) text = partBefore(text, text.lastIndexOf(before_last));
    text = text.trim();
    if (replace && Object.hasOwn(replace, text)) text = (replace[text] ?? '').trim();
    for (const readDate of dates) {
      const date = readDate(text);
      if (date !== undefined) return date;
    }
    if (path !== undefined) return termsOf(text, path).join(path);
    return name === undefined ? text : (personName(text)?.[name] ?? (name === 'title' ? text : ''));
  };
  return (read) => {
    const texts = source(read);
    const parts = list === undefined ? texts.slice(0, 1) : texts.flatMap((text) => text.split(list));
    return parts.flatMap((text) => (text.trim() === '' ? [] : step(text.trim()) || []));
  };
}

/** The terms of a path, from the broadest on. */
export function termsOf(text: string, separator: string): string[] {
  const terms = text.split(separator.trim() || separator).map((term) => term.trim());
  return terms.filter((term) => term !== '');
}

function compileSource({ column, join, first, constant, with: between = ' ' }: Value): RowValue {
  if (column !== undefined) return (read) => [read(column)];
  if (first) {
    const values = first.map(compileValue);
    return (read) => values.map((value) => value(read)).find((texts) => texts.length > 0) ?? [];
  }
  if (!join) return () => [constant ?? ''];
  const parts = join.map((part) => ({ texts: compileValue(part), isConstant: part.constant !== undefined }));
  return (read) => {
    const texts = parts.map(({ texts, isConstant }) => ({ texts: texts(read), isConstant }));
    // Constants alone are no text of the row.
    if (!texts.some((part) => !part.isConstant && part.texts.length > 0)) return [];
    return [texts.flatMap((part) => part.texts).join(between)];
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

function partAfter(text: string, at: number, separator: string): string {
  return at < 0 ? '' : text.slice(at + separator.length);
}

function partBefore(text: string, at: number): string {
  return at < 0 ? text : text.slice(0, at);
}
