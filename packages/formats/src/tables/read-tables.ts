import { createHash } from 'node:crypto';
import { htmlOfText } from '../html/html-reading.ts';
import { excessOfMarkdown, htmlOfMarkdown } from '../html/markdown.ts';
import type { Cell } from '../workbook/read-sheet.ts';
import { readPieceHeader } from './cells.ts';
import { COLUMN_TYPES } from './column-types.ts';
import type { TableColumn } from './table-columns.ts';

/** A column of a table being read. */
interface ReadColumn {
  header: string;
  /** The name without the suffix of a continuation column. */
  name: string;
  piece: number;
}

/** An invalid header. */
interface HeaderFault {
  /** Index of the column, from 0. */
  column: number;
  header: string;
  reason: 'unknown' | 'duplicate' | 'no-first-part';
}

/** The parsed header of a table. */
export interface Header {
  /** The columns in order; undefined for ignored and invalid ones. */
  columns: readonly (ReadColumn | undefined)[];
  faults: HeaderFault[];
}

/** Parses the header of a table. Columns whose name starts with `_` are ignored. */
export function readHeader(cells: readonly string[], names: readonly string[]): Header {
  const known = new Set(names);
  const seen = new Set<string>();
  const faults: HeaderFault[] = [];
  const columns = cells.map((cell, column): ReadColumn | undefined => {
    const header = cell.trim();
    if (header === '' || header.startsWith('_')) return undefined;
    const read = { header, ...readPieceHeader(header) };
    const refuse = (reason: HeaderFault['reason']) => {
      faults.push({ column, header, reason });
      return undefined;
    };
    if (!known.has(read.name)) return refuse('unknown');
    if (seen.has(header)) return refuse('duplicate');
    seen.add(header);
    return read;
  });
  for (const [column, read] of columns.entries()) {
    if (!read || read.piece === 0 || seen.has(read.name)) continue;
    faults.push({ column, header: read.header, reason: 'no-first-part' });
  }
  return { columns, faults };
}

/** Whether a table is an export for reading (`--format csv`) with derived fields, which cannot be published. */
export function isMadeForReading(cells: readonly string[]): boolean {
  const headers = new Set(cells.map((cell) => cell.trim()));
  return headers.has('url') && headers.has('uuid') && (headers.has('title') || headers.has('name'));
}

/** A mistake in a row. */
export interface RowFault {
  /** Index of the column, from 0. */
  column: number;
  field: string;
  reason: string;
}

/** A parsed row. */
export interface ReadRow {
  /** The non-empty fields by name; references are not resolved. */
  fields: Record<string, unknown>;
  faults: RowFault[];
}

/** The texts of a row by column name, joined from their pieces, without empty cells. */
export interface RowTexts {
  texts: Map<string, { text: string; column: number }>;
  faults: RowFault[];
}

/** Joins the cells of a row into texts. */
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

/** Parses the fields of a row as in a bundle. References are left to the caller. */
export function readFields({ texts, faults }: RowTexts, columns: readonly TableColumn[]): ReadRow {
  const row: ReadRow = { fields: {}, faults: [...faults] };
  for (const column of columns) {
    const { name, type } = column;
    if (type === 'html') {
      readHtml(row, name, texts);
      continue;
    }
    const found = texts.get(name);
    const value = found && COLUMN_TYPES[type].read(found.text);
    if (value === undefined) continue;
    if ('fault' in value) row.faults.push({ column: found?.column ?? 0, field: name, reason: value.fault });
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

function readHtml(row: ReadRow, name: string, texts: RowTexts['texts']): void {
  const given = TEXT_FORMATS.flatMap(([ending, toHtml]) => {
    const found = texts.get(name + ending);
    return found ? [{ name: name + ending, toHtml, ...found }] : [];
  });
  const [first, second] = given;
  const excess = first?.toHtml === htmlOfMarkdown ? excessOfMarkdown(first.text) : undefined;
  if (first && excess) {
    row.faults.push({
      column: first.column,
      field: first.name,
      reason: `${excess}; expected HTML, in ${name}`,
    });
  } else if (first) row.fields[name] = first.toHtml(first.text);
  if (first && second) {
    const reason = `${first.name} has the same text in another format; expected only one of them`;
    row.faults.push({ column: second.column, field: second.name, reason });
  }
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
