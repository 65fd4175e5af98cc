import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  CsvError,
  type CsvForm,
  describeContent,
  describeFile,
  openWorkbook,
  WorkbookError,
} from '@archiefkast/formats';
import type { FaultList, Origin } from '../publish/bundle/faults.ts';
import { describeMissing } from '../publish/bundle/open-bundle.ts';
import { openCsvTable, openSheetTable } from '../publish/bundle/tables/open-tables.ts';
import type { SourceTable } from '../publish/bundle/tables/table-source.ts';
import { isWorkbook } from '../publish/bundle/write-bundle.ts';
import { hintOf, type ImportMap, type SourceDescription } from './import-map.ts';
import type { OpenMap } from './read-map.ts';

/** A row of a source: trimmed texts, in the order of its columns. */
export interface SourceRow {
  at: number;
  cells: readonly string[];
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
  place: SourceTable['place'];
}

/** A file cannot be a source. */
export class SourceError extends Error {
  override name = 'SourceError';
}

/** A table of a source file, before its header is known. */
export type OpenTable = SourceTable;

/**
 * Opens the tables of a file: itself if it is CSV, or every sheet of a workbook.
 *
 * @throws SourceError or WorkbookError if it is neither; the error of opening it
 */
export async function openTablesOf(
  path: string,
  form?: CsvForm,
): Promise<{ tables: OpenTable[]; close(): void }> {
  const expected = 'a CSV or TSV file, or a workbook (.xlsx)';
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new SourceError(await describeMissing(path, expected));
  if (!found.isFile()) throw new SourceError(`is not a file; expected ${expected}`);
  if (!isWorkbook(path)) {
    const isText = /\.(?:csv|tsv|tab|txt)$/i.test(path);
    const other = isText ? await describeContent(path) : ((await describeFile(path)) ?? `is not ${expected}`);
    if (other !== undefined) throw new SourceError(other);
    return { tables: [openCsvTable(basename(path), path, form)], close() {} };
  }
  const workbook = await openWorkbook(path);
  return {
    tables: workbook.sheets.map((sheet) => openSheetTable(sheet.name, basename(path), sheet)),
    close: workbook.close,
  };
}

/**
 * Reads the sources of a map into memory.
 *
 * @param paths the files given
 * @param faults what is wrong in the files, or differs from the map, is added to it
 * @throws BundleError if a source cannot be read
 */
export async function readSources(
  paths: readonly string[],
  { map, at }: OpenMap,
  faults: FaultList,
  onRow: () => void,
): Promise<Map<string, Source>> {
  const files = filesByName(paths, map, faults);
  const sources = new Map<string, Source>();
  for (const [name, description] of Object.entries(map.sources)) {
    const path = files.get(description.file);
    if (path === undefined) {
      const reason = `"${description.file}" is not one of the files given${hintOf(description.file, files.keys())}`;
      faults.add({ ...at(['sources', name, 'file']), reason });
      continue;
    }
    const source = await readSource(name, path, description, at, faults, onRow);
    if (source) sources.set(name, source);
  }
  faults.throwIfAny();
  return sources;
}

/** The paths of the files by name. */
function filesByName(paths: readonly string[], map: ImportMap, faults: FaultList): Map<string, string> {
  const files = new Map<string, string>();
  const named = new Set(Object.values(map.sources).map(({ file }) => file));
  for (const path of paths) {
    const file = basename(path);
    if (files.has(file)) faults.add({ file: path, reason: 'has the same name as another file given' });
    if (!named.has(file)) faults.add({ file: path, reason: 'is not named in the sources of the map' });
    files.set(file, path);
  }
  return files;
}

async function readSource(
  name: string,
  path: string,
  description: SourceDescription,
  at: OpenMap['at'],
  faults: FaultList,
  onRow: () => void,
): Promise<Source | undefined> {
  const { file, sheet, encoding, delimiter, header = 1, drop = [] } = description;
  try {
    const { tables, close } = await openTablesOf(path, { encoding, delimiter });
    try {
      const table = sheet === undefined ? tables[0] : tables.find((each) => each.name === sheet);
      if (!table || (sheet === undefined && tables.length > 1)) {
        const names = tables.map((each) => each.name);
        const step = sheet === undefined ? 'file' : 'sheet';
        const which = sheet === undefined ? `has ${tables.length} sheets` : `has no sheet "${sheet}"`;
        const reason = `${file} ${which}; expected sheet: one of ${names.join(', ')}`;
        faults.add({ ...at(['sources', name, step]), reason });
        return undefined;
      }
      return await readTable(name, table, { header, drop }, at, faults, onRow);
    } finally {
      close();
    }
  } catch (error) {
    faults.add({ file, ...faultOfReading(error) });
    return undefined;
  }
}

/** The fault for an error of reading a file. @throws any other error */
export function faultOfReading(error: unknown): { line?: number; reason: string } {
  if (error instanceof CsvError) {
    return { ...(error.line === undefined ? {} : { line: error.line }), reason: error.message };
  }
  if (error instanceof WorkbookError || error instanceof SourceError) return { reason: error.message };
  if (error instanceof Error && 'code' in error) return { reason: `cannot be read: ${error.message}` };
  throw error;
}

/** Reads a table into memory: its columns are named in the row `header`. */
export async function readTable(
  name: string,
  table: OpenTable,
  { header, drop }: { header: number; drop: readonly string[] },
  at: OpenMap['at'],
  faults: FaultList,
  onRow: () => void,
): Promise<Source | undefined> {
  let columns: string[] | undefined;
  const rows: SourceRow[] = [];
  const { place, title } = table;
  const wrong: { row: number; column: number; reason: string }[] = [];
  const onFault = (where: Origin, reason: string) => {
    // A title above the header may be merged.
    const row = Number(/\d+$/.exec(where.cell ?? '')?.[0] ?? header);
    if (row >= header) faults.add({ ...where, reason });
  };
  for await (const { at: row, cells } of table.rows(onFault)) {
    onRow();
    if (row < header) continue;
    const texts = cells.map((cell, column) => {
      if (typeof cell === 'string') return cell.trim();
      wrong.push({ row, column, reason: cell.fault });
      return '';
    });
    if (!columns) columns = columnNames(texts);
    else rows.push({ at: row, cells: texts });
    while (columns.length < texts.length) columns.push(`column ${columns.length + 1}`);
  }
  if (!columns) {
    const reason = `has no row ${header} with the names of the columns`;
    faults.add({ ...place(), reason });
    return undefined;
  }
  const dropped = new Set<number>();
  for (const [index, column] of drop.entries()) {
    const found = columns.indexOf(column);
    if (found >= 0) dropped.add(found);
    else faults.add({ ...at(['sources', name, 'drop', index]), reason: noColumn(title, column, columns) });
  }
  for (const { row, column, reason } of wrong) {
    if (!dropped.has(column)) faults.add({ ...place(row, column), field: columns[column] ?? '', reason });
  }
  return { name, title, columns, rows, dropped, place };
}

/** Names columns by their headers: without line ends, and with a number if the name is empty or stood before. */
export function columnNames(headers: readonly string[]): string[] {
  const names: string[] = [];
  for (const [index, header] of headers.entries()) {
    const name = header.replaceAll(/\s+/g, ' ') || `column ${index + 1}`;
    const same = headers.slice(0, index).filter((other) => other === header && other !== '').length;
    names.push(same === 0 ? name : `${name} (${same + 1})`);
  }
  return names;
}

/** The fault of a column that a source does not have. */
export function noColumn(title: string, column: string, columns: readonly string[]): string {
  return `${title} has no column "${column}"${hintOf(column, columns) || `; it has ${columns.join(', ')}`}`;
}

/** The origin of a cell of a source, with the name of its column. */
export function cellOrigin(source: Source, at: number, column?: number): Origin {
  if (column === undefined) return source.place(at);
  return { ...source.place(at, column), field: source.columns[column] ?? '' };
}
