import {
  type Cell,
  columnLetters,
  columnNames,
  columnsLike,
  isMadeForReading,
  type RowTexts,
  readFields,
  readHeader,
  readTexts,
  type TableColumn,
} from '@archiefkast/formats';
import { kindOfCollection } from '@archiefkast/types';
import type { FaultList, Origin } from '../faults.ts';
import { nearestName } from '../nearest-name.ts';
import { readSoundly, type SourceTable, type TableRow } from './open-tables.ts';

/** A table whose header has been read. */
export interface ReadTable {
  title: string;
  place: SourceTable['place'];
  /** The origin of the field of a row: HTML may be given as plain text or Markdown, in a column with a suffix. */
  cell(at: number, field: string): Origin;
  rows(onFault?: (place: Origin, reason: string) => void): AsyncGenerator<{ at: number; row: RowTexts }>;
}

/**
 * Reads the header of a table; undefined if the table cannot be read.
 *
 * @param faults faults of the header are added to it
 */
export async function readTable(table: SourceTable, faults: FaultList): Promise<ReadTable | undefined> {
  const kind = kindOfCollection(table.name);
  const names = columnNames(table.name);
  const refuse = (reason: string, at?: number) => {
    faults.add({ ...table.place(at), reason });
    return undefined;
  };
  const top = await readSoundly(table.place, faults, () => firstRows(table));
  if (!top) return undefined;
  const [first] = top;
  if (!first) return refuse('is empty; expected a header row');
  const namesIn = ({ cells }: TableRow) =>
    cells.filter((cell) => isText(cell) && names.includes(cell.trim())).length;
  const likely = top.find((row) => namesIn(row) > 1);
  if (likely && likely !== first && namesIn(first) === 0) {
    const above =
      likely.at - first.at === 1 ? 'the row above it' : `the ${likely.at - first.at} rows above it`;
    return refuse(`is not a header; the column names are in row ${likely.at}: delete ${above}`, first.at);
  }
  const cells = first.cells.map((cell, column) => {
    if (isText(cell)) return cell;
    faults.add({ ...table.place(first.at, column), reason: cell.fault });
    return '_';
  });
  if (kind && isMadeForReading(cells)) {
    return refuse(
      'is an export for reading (--format csv), with derived fields; harvest with --format jsonl instead, and make tables of that with archive-api convert',
    );
  }
  const header = readHeader(cells, names);
  const absent = names.filter((name) => !cells.some((cell) => cell.trim() === name));
  for (const { column, header: field, reason } of header.faults) {
    const place = table.place(first.at, column);
    faults.add({ ...place, field, reason: describeHeaderFault(field, reason, absent, table) });
  }
  const origins = new Map(header.columns.map((read) => [read.header, read.column]));
  if (table.name !== 'archive' && !origins.has('id')) {
    return refuse('has no id column, which every table of records needs', first.at);
  }
  return {
    title: table.title,
    place: table.place,
    cell(at, field) {
      const [base = field] = field.split(/[[.]/, 1);
      const name = [base, `${base}_text`, `${base}_markdown`].find((each) => origins.has(each)) ?? field;
      const place = table.place(at, origins.get(name));
      return { ...place, field: place.field ?? name };
    },
    async *rows(onFault) {
      const named = new Set(cells.keys().filter((column) => cells[column]?.trim() !== ''));
      for await (const row of table.rows(onFault)) {
        if (row.at === first.at) continue;
        if (onFault) refuseNameless(named, row, table, onFault);
        yield { at: row.at, row: readTexts(row.cells, header.columns) };
      }
    },
  };
}

/** Adds a fault of a field of a row. */
export type Refuse = (field: string, reason: string) => void;

/** The rows of a table as fields, with the origin of each field. Faults of cells are added to `faults`. */
export async function* readRows(table: ReadTable, columns: readonly TableColumn[], faults: FaultList) {
  for await (const { at, row } of table.rows()) {
    const cell = (field: string) => table.cell(at, field);
    const refuse: Refuse = (field, reason) => faults.add({ ...cell(field), reason });
    const { fields, faults: wrong } = readFields(row, columns);
    for (const { field, reason } of wrong) refuse(field, reason);
    yield { at, row, fields, cell, refuse };
  }
}

/** Maximum number of rows above a header that are recognised as such. */
const ABOVE_HEADER = 10;

async function firstRows(table: SourceTable): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const row of table.rows()) if (rows.push(row) > ABOVE_HEADER) break;
  return rows;
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
  const meant = columnsLike(header, names).join(' or ') || near;
  const hint = meant ? `did you mean ${meant}?` : 'start its name with _ to have it ignored';
  return `is not a column of ${title}; ${hint}`;
}
