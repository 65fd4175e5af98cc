import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { describeMissing, describeOrigin, type FaultList, type Origin } from '@archiefkast/bundle';
import { openCsvTable, openSheetTable, type SourceTable, type TableRow } from '@archiefkast/bundle/tables';
import { isWorkbook } from '@archiefkast/bundle/write-bundle';
import {
  CsvError,
  type CsvForm,
  describeContent,
  describeFile,
  openWorkbook,
  WorkbookError,
} from '@archiefkast/formats';
import { hintOf, type ImportMap, type SourceDescription } from './import-map.ts';
import type { OpenMap } from './read-map.ts';

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
  /** The number of the row with the names of the columns; 0 if none has. */
  header: number;
  /** What became of its cells: sentences for the user. */
  notes: string[];
  place: SourceTable['place'];
}

/** A file cannot be a source. */
export class SourceError extends Error {
  override name = 'SourceError';
}

/**
 * Opens the tables of a file: itself if it is CSV, or every sheet of a workbook.
 *
 * @throws SourceError or WorkbookError if it is neither; the error of opening it
 */
export async function openTablesOf(
  path: string,
  form?: CsvForm,
): Promise<{ tables: SourceTable[]; close(): void }> {
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
    const ofFile = Object.values(map.sources).filter(({ file }) => file === description.file);
    const used = ofFile.at(-1) === description ? ofFile.map(({ sheet }) => sheet) : undefined;
    const source = await readSource(name, path, { ...description, used }, at, faults, onRow);
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

/** @param description its `used` are the sheets of all sources of the workbook, of the last of them: it notes the others */
async function readSource(
  name: string,
  path: string,
  description: SourceDescription & { used: readonly (string | undefined)[] | undefined },
  at: OpenMap['at'],
  faults: FaultList,
  onRow: () => void,
): Promise<Source | undefined> {
  const { file, sheet, used } = description;
  try {
    const { tables, close } = await openTablesOf(path, description);
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
      const source = await readTable(
        name,
        table,
        { ...description, header: description.header ?? 1 },
        faults,
        onRow,
      );
      for (const step of ['drop', 'fill'] as const) {
        for (const [index, column] of (description[step] ?? []).entries()) {
          if (!source || source.columns.includes(column)) continue;
          const reason = noColumn(source.title, column, source.columns);
          faults.add({ ...at(['sources', name, step, index]), reason });
        }
      }
      const unused = used ? await unusedSheets(tables, used) : [];
      if (unused.length > 0)
        source?.notes.push(`${unused.length} of the sheets of ${file} not used: ${unused.join(', ')}`);
      return source;
    } finally {
      close();
    }
  } catch (error) {
    faults.add({ file, ...faultOfReading(error) });
    return undefined;
  }
}

/** The sheets of a workbook that have rows, and that no source of a map is, with those that are hidden marked. */
async function unusedSheets(
  tables: readonly SourceTable[],
  used: readonly (string | undefined)[],
): Promise<string[]> {
  const unused: string[] = [];
  for (const { name, isHidden, rows } of tables) {
    if (tables.length === 1 || used.includes(name) || name.startsWith('_')) continue;
    if (!(await rows().next()).done) unused.push(isHidden ? `${name} (hidden)` : name);
  }
  return unused;
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

/** Marks that stand for the text of the cell above. */
export const DITTO = /^(?:"|''|,,|[\u3003\u2033\u201d\u201e]|-"-|id(?:em|\.)|do\.|d[io]to|ditto)$/i;

/**
 * Reads a table into memory.
 *
 * @param form how its cells are read; its columns are named in the row `header`, or else in the first that looks like one
 */
export async function readTable(
  name: string,
  { rows: readRows, place, title }: SourceTable,
  { header, columns: given = [], characters = {}, fill = [], drop = [] }: Omit<SourceDescription, 'file'>,
  faults: FaultList,
  onRow: () => void = () => {},
): Promise<Source | undefined> {
  const read: TableRow[] = [];
  const found: { where: Origin; reason: string }[] = [];
  for await (const row of readRows((where, reason) => found.push({ where, reason }))) {
    onRow();
    read.push(row);
  }
  const first = header ?? headerOf(read);
  const [head, ...below] =
    first === 0 ? [{ at: 0, cells: [] }, ...read] : read.filter(({ at }) => at >= first);
  if (!head) {
    faults.add({ ...place(), reason: `has no row ${first} with the names of the columns` });
    return undefined;
  }
  // A title above the header may be merged.
  for (const { where, reason } of found) {
    const row = where.line ?? Number(/\d+$/.exec(where.cell ?? '')?.[0] ?? first);
    if (row >= first) faults.add({ ...where, reason });
  }
  const textsOf = ({ cells }: TableRow) =>
    cells.map((cell) => (isText(cell) ? replaceAll(cell, characters) : ''));
  const names = textsOf(head);
  const columns = columnNames([...given, ...names.slice(given.length)]);
  const isSheet = place(1).cell !== undefined;
  const [width, isOpen] = [columns.length, isSheet || columns.length === 0];
  for (const { at, cells } of below) {
    const isLonger = cells.slice(width).some((cell) => !isText(cell) || cell.trim() !== '');
    if (isLonger && !isOpen) {
      const reason = `has ${cells.length} cells, the header ${width}; put a text with a separator in quotes`;
      faults.add({ ...place(at), reason });
    }
    while (isOpen && columns.length < cells.length) columns.push(`column ${columns.length + 1}`);
  }
  const dropped = new Set(drop.map((column) => columns.indexOf(column)));
  const rows = below.map((row) => ({ at: row.at, cells: textsOf(row) }));
  const source: Source = { name, title, columns, rows, dropped, place, header: first, notes: [] };
  for (const { at, cells } of [head, ...below]) {
    for (const [column, cell] of cells.entries()) {
      if (isText(cell) || dropped.has(column)) continue;
      faults.add({ ...cellOrigin(source, at, column), reason: cell.fault });
    }
  }
  const short = isSheet ? [] : rows.filter(({ cells }) => cells.length < columns.length);
  if (short[0])
    source.notes.push(
      `${short.length} with fewer cells than columns, such as ${describeOrigin(place(short[0].at))}`,
    );
  for (const column of fill) fillDown(source, column);
  for (const column of columns.keys()) noteTurnedDates(source, column);
  return source;
}

/** Gives empty cells of a column, and ditto marks, the text above. */
function fillDown({ columns, rows, notes }: Source, name: string): void {
  const column = columns.indexOf(name);
  let [above, count] = ['', 0];
  for (const { cells } of column < 0 ? [] : rows) {
    const text = cells[column] ?? '';
    if (text !== '' && !DITTO.test(text)) above = text;
    else if (above !== '') {
      cells[column] = above;
      count += 1;
    }
  }
  if (count > 0) notes.push(`${count} of the cells of ${name} filled from above`);
}

/** Cells that a note lists. */
const SHOWN = 10;

/**
 * Notes the dates of a column whose day and month a spreadsheet may have turned round: it made dates of those that it could
 * read in its own order, and left the others as texts, such as 13/05/1950.
 */
function noteTurnedDates(source: Source, column: number): void {
  const suspects: { at: number; text: string }[] = [];
  let left: string | undefined;
  for (const { at, cells } of source.rows) {
    const text = cells[column] ?? '';
    const [, month = '', day = ''] = /^\d{4}-(\d\d)-(\d\d)\b/.exec(text) ?? [];
    const [, one = '', other = ''] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2,4}$/.exec(text) ?? [];
    if (Number(day) > 12) return;
    if (day !== month) suspects.push({ at, text });
    if (Number(one) > 12 !== Number(other) > 12) left ??= text;
  }
  if (left === undefined || suspects.length === 0) return;
  const cells = suspects
    .slice(0, SHOWN)
    .map(({ at, text }) => `${describeOrigin(cellOrigin(source, at, column))} (${text})`);
  const more = suspects.length > SHOWN ? ` and ${suspects.length - SHOWN} more` : '';
  const why = `as beside them is "${left}", which it could not read`;
  source.notes.push(
    `DAY AND MONTH MAY BE TURNED ROUND by a spreadsheet in ${source.columns[column]}, ${why}: ${cells.join(', ')}${more}`,
  );
}

function isText(cell: TableRow['cells'][number]): cell is string {
  return typeof cell === 'string';
}

function replaceAll(cell: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .reduce((text, [from, to]) => text.replaceAll(from, to), cell)
    .trim();
}

/** Rows among which the header is looked for. */
const HEAD = 20;

/** The number of the header: the first row with at least half as many texts as the fullest of the first; above it are titles. */
function headerOf(rows: readonly TableRow[]): number {
  const filled = rows
    .slice(0, HEAD)
    .map(({ cells }) => cells.filter((cell) => isText(cell) && cell.trim() !== '').length);
  const most = Math.max(0, ...filled);
  const first = filled.findIndex((texts) => texts * 2 >= most && (texts > 1 || most === 1));
  return first > 0 ? (rows[first]?.at ?? 1) : 1;
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
