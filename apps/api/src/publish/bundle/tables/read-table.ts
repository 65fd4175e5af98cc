import {
  CsvError,
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
import type { SourceTable } from './table-source.ts';

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
  const cells = await firstRow(table, faults);
  if (!cells) return undefined;
  if (kind && isMadeForReading(cells)) {
    const reason =
      'is an export for reading (--format csv), with derived fields; export with --format tables instead';
    faults.add({ ...table.place(), reason });
    return undefined;
  }
  const header = readHeader(cells, names);
  for (const { column, header: field, reason } of header.faults) {
    faults.add({
      ...table.place(1, column),
      field,
      reason: describeHeaderFault(field, reason, names, table),
    });
  }
  const origins = new Map<string, number>();
  for (const [column, read] of header.columns.entries()) if (read) origins.set(read.header, column);
  if (table.name !== 'archive' && !origins.has('id')) {
    faults.add({ ...table.place(1), reason: 'has no id column, which every table of records needs' });
    return undefined;
  }
  return {
    title: table.title,
    place: table.place,
    columnOf: (name) => origins.get(name),
    async *rows(onFault) {
      let isHeader = true;
      for await (const { at, cells } of table.rows(onFault)) {
        if (!isHeader) yield { at, row: readTexts(cells, header.columns) };
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
    if (error instanceof CsvError) faults.add({ ...table.place(error.line), reason: error.message });
    else if (error instanceof WorkbookError) {
      faults.add({ ...table.place(error.place?.row, error.place?.column), reason: error.message });
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

async function firstRow(table: SourceTable, faults: FaultList): Promise<string[] | undefined> {
  let first: string[] | undefined;
  const isSound = await isRead(table, faults, async () => {
    for await (const { cells } of table.rows()) {
      first = cells.map((cell) => (typeof cell === 'string' ? cell : ''));
      return;
    }
  });
  if (isSound && !first) faults.add({ ...table.place(), reason: 'is empty; expected a header row' });
  return first;
}

function describeHeaderFault(
  header: string,
  reason: string,
  names: readonly string[],
  { title }: SourceTable,
): string {
  if (reason === 'duplicate') return 'is a duplicate column';
  if (reason === 'no-first-part') return 'continues a column that is missing';
  const suffixed = names.filter((name) => name === `${header}_nl` || name === `${header}_en`);
  const near = nearestName(header.toLowerCase().replaceAll(/[\s-]+/g, '_'), names);
  const hint =
    suffixed.length > 0
      ? `did you mean ${suffixed.join(' or ')}?`
      : near
        ? `did you mean ${near}?`
        : 'start its name with _ to have it ignored';
  return `is not a column of ${title}; ${hint}`;
}
