import type { Kind } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import { joinList } from './list-cell.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_FIELD,
  RECORD_COLUMNS,
  type TableColumn,
} from './table-columns.ts';
import { TableError } from './table-error.ts';

/** A record with the API's field names: as a bundle has it, or as it is served. */
export type TabledRecord = Readonly<Record<string, unknown>>;

/** Fields that are made anew, or stand in the table of files. */
const LEFT_OUT = new Set(
  'url position location_events events title name content description summary image main_image files same_as'.split(
    ' ',
  ),
);

/**
 * The cells of a record's row, one for each of `RECORD_COLUMNS`.
 *
 * @throws TableError when tables cannot hold the record
 */
export function recordRow(kind: Kind, record: TabledRecord): string[] {
  const columns = RECORD_COLUMNS[kind];
  const unknown = Object.keys(record).find(
    (field) => !LEFT_OUT.has(field) && !columns.some(({ name }) => name === field),
  );
  if (unknown !== undefined) throw lossOf(kind, record, unknown, 'is a field that tables have no column for');
  return columns.map((column) => wellFormed(kind, record, column, cellOf(column, record[column.name])));
}

/** The rows of a record's images and files, a cell for each of `FILE_COLUMNS`. */
export function fileRows(kind: Kind, record: TabledRecord): string[][] {
  const image = record[IMAGE_FIELD[kind]];
  const files = Array.isArray(record['files']) ? record['files'] : [];
  const rows: string[][] = [];
  const add = (file: unknown, role: string, order: string) => {
    const fields: TabledRecord = { ...Object(file), owner_kind: kind, owner: record['uuid'], role, order };
    rows.push(
      FILE_COLUMNS.map((column) => wellFormed(kind, record, column, cellOf(column, fields[column.name]))),
    );
  };
  if (image) add(image, 'image', '');
  for (const [place, file] of files.entries()) add(file, 'file', String(place + 1));
  return rows;
}

/** The row that describes the archive, a cell for each of `ARCHIVE_COLUMNS`. */
export function archiveRow(archive: TabledRecord): string[] {
  return ARCHIVE_COLUMNS.map(({ path: [first, second] }) => {
    const value = archive[first];
    return String((second === undefined ? value : Object(value)[second]) ?? '');
  });
}

function cellOf({ type }: TableColumn, value: unknown): string {
  switch (type) {
    case 'boolean':
      return value === false ? 'false' : '';
    case 'nullable':
      if (value === null || value === undefined) return '';
      return value === '' ? '\\empty' : String(value).replace(/^\\/, '\\\\');
    case 'reference':
      return value === null || value === undefined ? '' : referenceOf(value);
    case 'references':
      return Array.isArray(value) ? joinList(value.map(referenceOf)) : '';
    case 'urls':
      return Array.isArray(value) ? joinList(value.map(String)) : '';
    case 'json':
      return Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : '';
    default:
      return value === null || value === undefined ? '' : String(value);
  }
}

/** A uuid, or the id that a subject's parent is. */
function referenceOf(value: unknown): string {
  const name = typeof value === 'object' && value !== null && 'uuid' in value ? value.uuid : value;
  return uuidOfReference(String(name)) ?? String(name);
}

function wellFormed(kind: Kind, record: TabledRecord, { name }: TableColumn, cell: string): string {
  if (cell.isWellFormed()) return cell;
  throw lossOf(kind, record, name, 'holds half of a character (a lone surrogate)');
}

function lossOf(kind: Kind, record: TabledRecord, field: string, reason: string): TableError {
  return new TableError(`${kind} ${String(record['id'])}: ${field}: ${reason}; tables cannot hold it`);
}
