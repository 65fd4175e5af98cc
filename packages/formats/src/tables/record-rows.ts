import { KIND_FACTS, KINDS, type Kind, RECORD_FIELDS } from '@archiefkast/types';
import { type LongColumns, TableError } from './cells.ts';
import { COLUMN_TYPES } from './column-types.ts';
import { ARCHIVE_COLUMNS, FILE_COLUMNS, RECORD_COLUMNS, type TableColumn } from './table-columns.ts';

/** The source of the records of tables. */
export interface RecordSource {
  /** The kinds to write tables of. */
  kinds: readonly Kind[];
  /** Reads the records of a kind; called several times, with the same result. */
  records(kind: Kind): AsyncIterable<TabledRecord>;
  archive?: TabledRecord | undefined;
}

/** How records are written into rows. */
export interface TableForm {
  columns(kind: Kind): readonly TableColumn[];
  /** The row of a record, with one cell per column. */
  row(kind: Kind, record: TabledRecord): string[];
  /** The rows of its images and files, with one cell per `FILE_COLUMNS`. */
  fileRows(kind: Kind, record: TabledRecord): string[][];
  /** Columns that are left out if they are empty in all rows, unless `finish` uses them. */
  optional: ReadonlySet<string>;
  /** Called with the columns of a kind when all rows have been seen. */
  finish(kind: Kind, long: LongColumns): void;
}

/** A record with the API's field names, from a bundle or the API. */
export type TabledRecord = Readonly<Record<string, unknown>>;

/** Derived fields, and fields of the table `files`. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  KINDS.flatMap((kind) => {
    const columns = new Set(RECORD_COLUMNS[kind].map(({ name }) => name));
    return RECORD_FIELDS[kind].filter((field) => !columns.has(field));
  }),
);

/**
 * The row of a record, with one cell per `RECORD_COLUMNS`.
 *
 * @throws TableError if tables cannot store the record
 */
export function recordRow(kind: Kind, record: TabledRecord): string[] {
  const columns = RECORD_COLUMNS[kind];
  const unknown = Object.keys(record).find(
    (field) => !LEFT_OUT.has(field) && !columns.some(({ name }) => name === field),
  );
  if (unknown !== undefined) throw lossOf(kind, record, unknown, 'is a field that tables have no column for');
  return columns.map((column) => cellOf(kind, record, column, record[column.name]));
}

/** The rows of a record's images and files, with one cell per `FILE_COLUMNS`. */
export function fileRows(kind: Kind, record: TabledRecord): string[][] {
  const image = record[KIND_FACTS[kind].image];
  const files = Array.isArray(record['files']) ? record['files'] : [];
  const rows: string[][] = [];
  const add = (file: unknown, role: string, order: string) => {
    const fields: TabledRecord = { ...Object(file), owner_kind: kind, owner: record['uuid'], role, order };
    rows.push(FILE_COLUMNS.map((column) => cellOf(kind, record, column, fields[column.name])));
  };
  if (image) add(image, 'image', '');
  for (const [place, file] of files.entries()) add(file, 'file', String(place + 1));
  return rows;
}

/** The row that describes the archive, with one cell per `ARCHIVE_COLUMNS`. */
export function archiveRow(archive: TabledRecord): string[] {
  return ARCHIVE_COLUMNS.map(({ path: [first, second] }) => {
    const value = archive[first];
    return String((second === undefined ? value : Object(value)[second]) ?? '');
  });
}

/** @throws TableError if the value has an unpaired surrogate */
function cellOf(kind: Kind, record: TabledRecord, { name, type }: TableColumn, value: unknown): string {
  const cell = COLUMN_TYPES[type].write(value);
  if (cell.isWellFormed()) return cell;
  throw lossOf(kind, record, name, 'contains an unpaired surrogate');
}

function lossOf(kind: Kind, record: TabledRecord, field: string, reason: string): TableError {
  return new TableError(`${kind} ${String(record['id'])}: ${field}: ${reason}; tables cannot store it`);
}
