import { createHash } from 'node:crypto';
import { htmlOfText } from '../html/html-reading.ts';
import { excessOfMarkdown, htmlOfMarkdown } from '../html/markdown.ts';
import type { Cell } from '../workbook/cells.ts';
import { readPieceHeader } from './cells.ts';
import { COLUMN_TYPES } from './column-types.ts';
import type { TableColumn } from './table-columns.ts';

interface ReadColumn {
  /** Its index, from 0. */
  column: number;
  header: string;
  /** The name without the suffix of a continuation column. */
  name: string;
  piece: number;
}

interface HeaderFault {
  column: number;
  header: string;
  reason: 'unknown' | 'duplicate' | 'no-first-part';
}

export interface Header {
  /** The columns that are read; continuation columns come after those that they continue. */
  columns: readonly ReadColumn[];
  faults: HeaderFault[];
}

/** Parses the header of a table. Columns whose name starts with `_` are ignored. */
export function readHeader(cells: readonly string[], names: readonly string[]): Header {
  const known = new Set(names);
  const columns = new Map<string, ReadColumn>();
  const faults: HeaderFault[] = [];
  for (const [column, cell] of cells.entries()) {
    const header = cell.trim();
    if (header === '' || header.startsWith('_')) continue;
    const read = { column, header, ...readPieceHeader(header) };
    if (!known.has(read.name)) faults.push({ column, header, reason: 'unknown' });
    else if (columns.has(header)) faults.push({ column, header, reason: 'duplicate' });
    else columns.set(header, read);
  }
  for (const { column, header, name } of columns.values()) {
    if (!columns.has(name)) faults.push({ column, header, reason: 'no-first-part' });
  }
  return { columns: [...columns.values()].toSorted((a, b) => a.piece - b.piece), faults };
}

/** Whether a table is an export for reading (`--format csv`) with derived fields, which cannot be published. */
export function isMadeForReading(cells: readonly string[]): boolean {
  const headers = new Set(cells.map((cell) => cell.trim()));
  return headers.has('url') && headers.has('uuid') && (headers.has('title') || headers.has('name'));
}

export interface RowFault {
  field: string;
  reason: string;
}

export interface ReadRow {
  /** The non-empty fields by name; references are not resolved. */
  fields: Record<string, unknown>;
  faults: RowFault[];
}

/** The texts of a row by column name, joined from their pieces, without empty cells. */
export interface RowTexts {
  texts: Map<string, string>;
  faults: RowFault[];
}

/** Joins the cells of a row into texts. */
export function readTexts(cells: readonly Cell[], columns: Header['columns']): RowTexts {
  const texts = new Map<string, string>();
  const faults: RowFault[] = [];
  for (const { column, header, name } of columns) {
    const cell = cells[column] ?? '';
    if (typeof cell === 'object') faults.push({ field: header, reason: cell.fault });
    else if (cell !== '') texts.set(name, (texts.get(name) ?? '') + cell);
  }
  return { texts, faults };
}

/** Parses the fields of a row as in a bundle. References are left to the caller. */
export function readFields({ texts, faults }: RowTexts, columns: readonly TableColumn[]): ReadRow {
  const row: ReadRow = { fields: {}, faults: [...faults] };
  for (const { name, type } of columns) {
    if (type === 'html') {
      readHtml(row, name, texts);
      continue;
    }
    const text = texts.get(name);
    const value = text === undefined ? undefined : COLUMN_TYPES[type].read(text);
    if (value === undefined) continue;
    if ('fault' in value) row.faults.push({ field: name, reason: value.fault });
    else row.fields[name] = value.value;
  }
  return row;
}

/** The formats of a text by column suffix, and their conversion to HTML. */
const TEXT_FORMATS: readonly (readonly [ending: string, toHtml: (text: string) => string])[] = [
  ['', (html) => html],
  ['_text', htmlOfText],
  ['_markdown', htmlOfMarkdown],
];

function readHtml(row: ReadRow, base: string, texts: RowTexts['texts']): void {
  const [first, second] = TEXT_FORMATS.flatMap(([ending, toHtml]) => {
    const text = texts.get(base + ending);
    return text === undefined ? [] : [{ field: base + ending, text, toHtml }];
  });
  if (!first) return;
  const { field, text, toHtml } = first;
  const excess = toHtml === htmlOfMarkdown ? excessOfMarkdown(text) : undefined;
  if (excess) row.faults.push({ field, reason: `${excess}; expected HTML, in ${base}` });
  else row.fields[base] = toHtml(text);
  if (!second) return;
  const reason = `${field} has the same text in another format; expected only one of them`;
  row.faults.push({ field: second.field, reason });
}

/** Derives a UUID from a name within a namespace (version 5, RFC 9562 section 5.5). */
export function deriveUuid(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Derives the id of an image without one: the first 48 bits of its uuid. */
export function idOfUuid(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
}
