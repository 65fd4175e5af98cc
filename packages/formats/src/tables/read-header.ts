import type { Kind } from '@archiefkast/types';
import { readPieceHeader } from './long-cells.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
  TEXT_FORMS,
} from './table-columns.ts';

/** What a column of a table that is read holds. */
export interface ReadColumn {
  header: string;
  /** The name without the sign that the text of another column goes on here. */
  name: string;
  piece: number;
}

/** A header that cannot be. */
export interface HeaderFault {
  /** Number of the column, from 0. */
  column: number;
  header: string;
  reason: 'unknown' | 'twice' | 'without its first part';
}

/** What the header of a table says. */
export interface Header {
  /** In their order; undefined where the column is the archivist's own, or a fault. */
  columns: readonly (ReadColumn | undefined)[];
  faults: HeaderFault[];
}

/** The names that columns of a table may have. */
export function columnNames(columns: readonly TableColumn[], hasImage: boolean): string[] {
  const forms = columns.flatMap(({ name, type }) =>
    type === 'html' ? TEXT_FORMS.map((form) => `${name}${form}`) : [],
  );
  return [...columns.map(({ name }) => name), ...forms, ...(hasImage ? Object.keys(IMAGE_COLUMNS) : [])];
}

/** The names that the columns of a kind's table may have. */
export function recordColumnNames(kind: Kind): string[] {
  return columnNames(RECORD_COLUMNS[kind], true);
}

/** The names that the columns of the table of files, and of the archive's, may have. */
export const OTHER_COLUMN_NAMES = {
  files: columnNames(FILE_COLUMNS, false),
  archive: columnNames(ARCHIVE_COLUMNS, false),
} as const;

/** Reads the first row of a table. Columns whose name begins with `_` are the archivist's own. */
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
    if (seen.has(header)) return refuse('twice');
    seen.add(header);
    return read;
  });
  for (const [column, read] of columns.entries()) {
    if (!read || read.piece === 0 || seen.has(read.name)) continue;
    faults.push({ column, header: read.header, reason: 'without its first part' });
  }
  return { columns, faults };
}

/** Whether a table was made to be read (`--format csv`), and not to be published: it holds what is derived. */
export function isMadeForReading(cells: readonly string[]): boolean {
  const headers = new Set(cells.map((cell) => cell.trim()));
  return headers.has('url') && headers.has('uuid') && (headers.has('title') || headers.has('name'));
}
