import {
  type Cell,
  CsvError,
  columnLetters,
  columnsLike,
  isMadeForReading,
  OTHER_COLUMN_NAMES,
  type RowTexts,
  readHeader,
  readTexts,
  recordColumnNames,
  WorkbookError,
} from '@archiefkast/formats';
import { type Kind, kindOfCollection } from '@archiefkast/types';
import { nearestName } from '../../../nearest-name.ts';
import type { FaultList, Origin } from '../faults.ts';
import type { SourceTable, TableRow } from './table-source.ts';

/** A table whose header has been read. */
export interface ReadTable {
  title: string;
  /** The index of the column with a name, from 0; undefined if the table does not have it. */
  columnOf(name: string): number | undefined;
  place: SourceTable['place'];
  /** The rows after the header. */
  rows(onFault?: (place: Origin, reason: string) => void): AsyncGenerator<{ at: number; row: RowTexts }>;
}

/**
 * Reads the header of a table; undefined if the table cannot be read.
 *
 * @param faults faults of the header are added to it
 */
export async function readTable(table: SourceTable, faults: FaultList): Promise<ReadTable | undefined> {
  const kind = kindOfTable(table);
  const names = kind
    ? recordColumnNames(kind)
    : OTHER_COLUMN_NAMES[table.name === 'files' ? 'files' : 'archive'];
  const first = await headerRow(table, names, faults);
  if (!first) return undefined;
  const { at: headerAt, cells } = first;
  if (kind && isMadeForReading(cells)) {
    const reason =
      'is an export for reading (--format csv), with derived fields; harvest with --format jsonl instead, and make tables of that with archive-api convert';
    faults.add({ ...table.place(), reason }, 'table');
    return undefined;
  }
  const header = readHeader(cells, names);
  const absent = names.filter((name) => !cells.some((cell) => cell.trim() === name));
  for (const { column, header: field, reason } of header.faults) {
    const place = table.place(headerAt, column);
    faults.add({ ...place, field, reason: describeHeaderFault(field, reason, absent, table) }, 'table');
  }
  const origins = new Map<string, number>();
  for (const [column, read] of header.columns.entries()) if (read) origins.set(read.header, column);
  if (table.name !== 'archive' && !origins.has('id')) {
    const reason = 'has no id column, which every table of records needs';
    faults.add({ ...table.place(headerAt), reason }, 'table');
    return undefined;
  }
  return {
    title: table.title,
    place: table.place,
    columnOf: (name) => origins.get(name),
    async *rows(onFault) {
      let isHeader = true;
      const named = new Set(cells.keys().filter((column) => cells[column]?.trim() !== ''));
      for await (const row of table.rows(onFault)) {
        if (!isHeader) {
          if (onFault) refuseNameless(named, row, table, onFault);
          yield { at: row.at, row: readTexts(row.cells, header.columns) };
        }
        isHeader = false;
      }
    },
  };
}

/**
 * Runs `work` on the rows of a table, and turns read errors into faults.
 *
 * @returns false if the table cannot be read, which is added to `faults`
 * @throws BundleError if it is a sheet of a workbook
 */
export async function isRead(
  table: { place: SourceTable['place'] },
  faults: FaultList,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof CsvError) faults.add({ ...table.place(error.line), reason: error.message }, 'table');
    else if (error instanceof WorkbookError) {
      faults.add({ ...table.place(error.place?.row, error.place?.column), reason: error.message }, 'table');
      // If one sheet of a file is damaged, so are the others.
      faults.throwIfAny();
    } else throw error;
    return false;
  }
}

/** The kind of the records in a table; undefined for the tables `files` and `archive`. */
function kindOfTable({ name }: SourceTable): Kind | undefined {
  return kindOfCollection(name);
}

/** Maximum number of rows above a header that are recognised as such. */
const ABOVE_HEADER = 10;

/** The names in the header of a table; undefined, with a fault, if it has none. */
async function headerRow(
  table: SourceTable,
  names: readonly string[],
  faults: FaultList,
): Promise<{ at: number; cells: string[] } | undefined> {
  const rows: TableRow[] = [];
  const isSound = await isRead(table, faults, async () => {
    for await (const row of table.rows()) if (rows.push(row) > ABOVE_HEADER) return;
  });
  if (!isSound) return undefined;
  const [first] = rows;
  if (!first) {
    faults.add({ ...table.place(), reason: 'is empty; expected a header row' }, 'table');
    return undefined;
  }
  const namesIn = ({ cells }: TableRow) =>
    cells.filter((cell) => isText(cell) && names.includes(cell.trim()));
  const header = rows.find((row) => namesIn(row).length > 1);
  if (header && header !== first && namesIn(first).length === 0) {
    const above =
      header.at - first.at === 1 ? 'the row above it' : `the ${header.at - first.at} rows above it`;
    const reason = `is not a header; the column names are in row ${header.at}: delete ${above}`;
    faults.add({ ...table.place(first.at), reason }, 'table');
    return undefined;
  }
  const cells = first.cells.map((cell, column) => {
    if (isText(cell)) return cell;
    faults.add({ ...table.place(first.at, column), reason: cell.fault }, 'table');
    return '_';
  });
  return { at: first.at, cells };
}

function isText(cell: Cell): cell is string {
  return typeof cell === 'string';
}

/** Reports each column without a name that has a value in the row; `columns` are those with a name, and those reported. */
function refuseNameless(
  columns: Set<number>,
  { at, cells }: TableRow,
  table: SourceTable,
  onFault: (place: Origin, reason: string) => void,
): void {
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column] ?? '';
    if (cell === '' || columns.has(column) || (isText(cell) && cell.trim() === '')) continue;
    columns.add(column);
    const reason = `is in column ${columnLetters(column)}, which has no name; name it in the first row, or begin its name with _ to have it ignored`;
    onFault(table.place(at, column), reason);
  }
}

function describeHeaderFault(
  header: string,
  reason: string,
  names: readonly string[],
  { title }: SourceTable,
): string {
  if (reason === 'duplicate') return 'is a duplicate column';
  if (reason === 'no-first-part') return 'continues a column that is missing';
  const near = nearestName(header.toLowerCase().replaceAll(/[\s-]+/g, '_'), names);
  const likely = columnsLike(header, names);
  const hint =
    likely.length > 0
      ? `did you mean ${likely.join(' or ')}?`
      : near
        ? `did you mean ${near}?`
        : 'start its name with _ to have it ignored';
  return `is not a column of ${title}; ${hint}`;
}
