import { excessOfMarkdown, htmlOfMarkdown } from '../html/markdown.ts';
import { htmlOfText } from '../html/plain-text.ts';
import type { Cell } from '../workbook/read-sheet.ts';
import { splitList } from './list-cell.ts';
import type { ReadColumn } from './read-header.ts';
import type { TableColumn } from './table-columns.ts';

/** What is wrong in a row. */
export interface RowFault {
  /** Number of the column, from 0. */
  column: number;
  field: string;
  reason: string;
}

/** What a row says. */
export interface ReadRow {
  /** The fields that are there, by name; references are as they stand in their cells. */
  fields: Record<string, unknown>;
  faults: RowFault[];
}

/** The texts of a row by the names of columns, long ones put together again; empty cells are left out. */
export interface RowTexts {
  texts: Map<string, { text: string; column: number }>;
  faults: RowFault[];
}

/** Puts the cells of a row together. */
export function readTexts(cells: readonly Cell[], columns: readonly (ReadColumn | undefined)[]): RowTexts {
  const pieces = new Map<string, { piece: number; text: string; column: number }[]>();
  const faults: RowFault[] = [];
  for (const [column, cell] of cells.entries()) {
    const read = columns[column];
    if (!read || cell === '') continue;
    const { header, name, piece } = read;
    if (typeof cell === 'object') {
      faults.push({ column, field: header, reason: cell.fault });
      continue;
    }
    const found = pieces.get(name);
    if (found) found.push({ piece, text: cell, column });
    else pieces.set(name, [{ piece, text: cell, column }]);
  }
  const texts = new Map<string, { text: string; column: number }>();
  for (const [name, found] of pieces) {
    found.sort((a, b) => a.piece - b.piece);
    texts.set(name, { text: found.map(({ text }) => text).join(''), column: found[0]?.column ?? 0 });
  }
  return { texts, faults };
}

/** Reads the fields of a row as a bundle has them. What cannot be told from the row alone is left to its reader. */
export function readFields({ texts, faults }: RowTexts, columns: readonly TableColumn[]): ReadRow {
  const row: ReadRow = { fields: {}, faults: [...faults] };
  for (const column of columns) {
    const { name, type } = column;
    if (type === 'html') {
      readHtml(row, name, texts);
      continue;
    }
    const found = texts.get(name);
    const value = found && READERS[type](found.text);
    if (value === undefined) continue;
    if (isFault(value)) row.faults.push({ column: found?.column ?? 0, field: name, reason: value.fault });
    else row.fields[name] = value.value;
  }
  return row;
}

type Read = { value: unknown } | { fault: string } | undefined;

function isFault(read: { value: unknown } | { fault: string }): read is { fault: string } {
  return 'fault' in read;
}

const plain = (text: string): Read => ({ value: text });
const trimmed = (text: string): Read => (text.trim() === '' ? undefined : { value: text.trim() });

const READERS: Readonly<Record<Exclude<TableColumn['type'], 'html'>, (text: string) => Read>> = {
  id: (text) => (/^\s*\d+\s*$/.test(text) ? { value: Number(text) } : trimmed(text)),
  uuid: trimmed,
  boolean: (text) => {
    const word = text.trim().toLowerCase();
    if (word === '') return undefined;
    if (['true', 'waar'].includes(word)) return { value: true };
    if (['false', 'onwaar'].includes(word)) return { value: false };
    return { fault: `expected true or false, got "${text}"` };
  },
  text: plain,
  nullable: (text) => ({ value: text === '\\empty' ? '' : text.replace(/^\\\\/, '\\') }),
  date: trimmed,
  degrees: trimmed,
  reference: (text) => {
    const [value, ...more] = splitList(text);
    if (more.length > 0) return { fault: `expected one record, got ${more.length + 1}` };
    return value === undefined ? undefined : { value };
  },
  references: (text) => ({ value: splitList(text) }),
  urls: (text) => ({ value: splitList(text) }),
  json: (text) => {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { fault: 'expected a list as JSON' };
    }
  },
};

/** The forms of a text, and what makes HTML of each. */
const FORMS: readonly (readonly [ending: string, toHtml: (text: string) => string])[] = [
  ['', (html) => html],
  ['_text', htmlOfText],
  ['_markdown', htmlOfMarkdown],
];

function readHtml(row: ReadRow, name: string, texts: RowTexts['texts']): void {
  const given = FORMS.flatMap(([ending, toHtml]) => {
    const found = texts.get(name + ending);
    return found ? [{ form: name + ending, toHtml, ...found }] : [];
  });
  const [first, second] = given;
  const excess = first?.toHtml === htmlOfMarkdown ? excessOfMarkdown(first.text) : undefined;
  if (first && excess) {
    row.faults.push({
      column: first.column,
      field: first.form,
      reason: `${excess}; expected HTML, in ${name}`,
    });
  } else if (first) row.fields[name] = first.toHtml(first.text);
  if (first && second) {
    const reason = `${first.form} holds the same text in another form; expected one of them`;
    row.faults.push({ column: second.column, field: second.form, reason });
  }
}
