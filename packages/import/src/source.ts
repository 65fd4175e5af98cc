import type { FaultList, Origin } from '@archiefkast/bundle';
import { hintOf } from '@archiefkast/bundle/nearest-name';
import type { SourceTable } from '@archiefkast/bundle/tables';

/** A row of a source: trimmed texts, in the order of its columns. */
export interface SourceRow {
  at: number;
  cells: string[];
}

/** A CSV file or a sheet in memory. */
export interface Source {
  name: string;
  title: string;
  /** The names of the columns; those of the same name, and without one, get a number. */
  columns: readonly string[];
  rows: readonly SourceRow[];
  /** Indexes of the columns that are not kept. */
  dropped: ReadonlySet<number>;
  /** The row with the names of the columns, as a map has it: `2`, `1-2` or `none`. */
  header: string;
  /** What became of its cells: sentences for the user. */
  notes: string[];
  place: SourceTable['place'];
}

/** The index of a column of a source. @param place where the map names it: a missing column is a fault there */
export function findColumn(
  { title, columns }: Source,
  column: string,
  place: Origin,
  faults: FaultList,
): number {
  const found = columns.indexOf(column);
  const hint = found < 0 ? hintOf(column, columns) || `; it has ${columns.join(', ')}` : '';
  if (found < 0) faults.add({ ...place, reason: `${title} has no column "${column}"${hint}` });
  return found;
}

/** The origin of a cell of a source, with the name of its column. */
export function cellOrigin(source: Source, at: number, column?: number): Origin {
  if (column === undefined) return source.place(at);
  return { ...source.place(at, column), field: source.columns[column] ?? '' };
}

/** Names columns by their headers: without line ends, and with a number if the name is empty or another column has it. */
export function columnNames(headers: readonly string[]): string[] {
  const names: string[] = [];
  const own = headers.map((header, index) => header.replaceAll(/\s+/g, ' ') || `column ${index + 1}`);
  for (const name of own) {
    let free = name;
    for (let number = 2; names.includes(free); number += 1) free = `${name} (${number})`;
    names.push(free);
  }
  return names;
}
