import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { describeMissing, describeOrigin, type FaultList, type Origin } from '@archiefkast/bundle';
import { hintOf } from '@archiefkast/bundle/nearest-name';
import { openCsvTable, openSheets, type SourceTable, type TableRow } from '@archiefkast/bundle/tables';
import { isWorkbook } from '@archiefkast/bundle/write-bundle';
import {
  type Aside,
  CsvError,
  type CsvForm,
  columnOfCell,
  conceptOf,
  describeContent,
  describeFile,
  WorkbookError,
} from '@archiefkast/formats';
import { counted } from '@archiefkast/system';
import type { SourceDescription } from './import-map.ts';
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
  /** The row with the names of the columns, as a map has it: `2`, `1-2` or `none`. */
  header: string;
  /** What became of its cells: sentences for the user. */
  notes: string[];
  place: SourceTable['place'];
}

/**
 * Opens a CSV file or a workbook. Its `tables` are the file itself, read in a form if one is given, or every sheet.
 *
 * @throws CsvError or WorkbookError if it is neither; the error of opening it
 */
export async function openFile(path: string) {
  const expected = 'a CSV or TSV file, or a workbook (.xlsx)';
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CsvError(await describeMissing(path, expected));
  if (!found.isFile()) throw new CsvError(`is not a file; expected ${expected}`);
  const file = basename(path);
  if (!isWorkbook(path)) {
    const isText = /\.(?:csv|tsv|tab|txt)$/i.test(path);
    const other = isText ? await describeContent(path) : ((await describeFile(path)) ?? `is not ${expected}`);
    if (other !== undefined) throw new CsvError(other);
    return { tables: (form?: CsvForm) => [openCsvTable(file, path, form)], [Symbol.dispose]() {} };
  }
  const { tables, close } = await openSheets(path);
  return { tables: () => tables, [Symbol.dispose]: close };
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
  openMap: OpenMap,
  faults: FaultList,
  onRow: () => void,
): Promise<Map<string, Source>> {
  const read = new Map<string, Source>();
  for (const [file, path] of filesByName(paths, openMap, faults)) {
    const own = Object.entries(openMap.map.sources).filter(([, source]) => source.file === file);
    try {
      using opened = await openFile(path);
      let last: Source | undefined;
      for (const [name, description] of own) {
        last = await readSource(name, description, opened.tables(description), openMap, faults, onRow);
        if (last) read.set(name, last);
      }
      const used = own.map(([, { sheet }]) => sheet);
      const unused = await unusedSheets(opened.tables(), used);
      if (unused.length > 0)
        last?.notes.push(`${unused.length} of the sheets of ${file} not used: ${unused.join(', ')}`);
    } catch (error) {
      faults.add({ file, ...faultOfReading(error) });
    }
  }
  faults.throwIfAny();
  return read;
}

/** The paths of the files that a map names, by name. */
function filesByName(paths: readonly string[], { map, at }: OpenMap, faults: FaultList): Map<string, string> {
  const given = new Map<string, string>();
  const named = new Map<string, string>();
  const sources = Object.entries(map.sources);
  for (const path of paths) {
    const file = basename(path);
    if (given.has(file)) faults.add({ file: path, reason: 'has the same name as another file given' });
    if (!sources.some(([, source]) => source.file === file))
      faults.add({ file: path, reason: 'is not named in the sources of the map' });
    given.set(file, path);
  }
  for (const [name, { file }] of sources) {
    const path = given.get(file);
    const reason = `"${file}" is not one of the files given${hintOf(file, given.keys())}`;
    if (path === undefined) faults.add({ ...at(['sources', name, 'file']), reason });
    else named.set(file, path);
  }
  return named;
}

async function readSource(
  name: string,
  description: SourceDescription,
  tables: readonly SourceTable[],
  { at }: OpenMap,
  faults: FaultList,
  onRow: () => void,
): Promise<Source | undefined> {
  const { file, sheet, header = '1' } = description;
  const table = sheet === undefined ? tables[0] : tables.find((each) => each.name === sheet);
  if (!table || (sheet === undefined && tables.length > 1)) {
    const names = tables.map((each) => each.name).join(', ');
    const step = sheet === undefined ? 'file' : 'sheet';
    const which = sheet === undefined ? `has ${tables.length} sheets` : `has no sheet "${sheet}"`;
    const reason = `${file} ${which}; expected sheet: one of ${names}`;
    faults.add({ ...at(['sources', name, step]), reason });
    return undefined;
  }
  const source = await readTable(name, table, { ...description, header }, faults, onRow);
  for (const step of ['drop', 'fill'] as const) {
    for (const [index, column] of (description[step] ?? []).entries())
      if (source) findColumn(source, column, at(['sources', name, step, index]), faults);
  }
  return source;
}

/** The sheets of a workbook that have rows, and that no source of a map is, with their rows, and whether they are hidden. */
async function unusedSheets(
  tables: readonly SourceTable[],
  used: readonly (string | undefined)[],
): Promise<string[]> {
  const unused: string[] = [];
  for (const { name, isHidden, rows } of tables) {
    if (tables.length === 1 || used.includes(name)) continue;
    const { length } = await Array.fromAsync(rows());
    if (length > 0) unused.push(`${name} (${isHidden ? 'hidden, ' : ''}${counted(length, 'row')})`);
  }
  return unused;
}

/** The fault for an error of reading a file. @throws any other error */
export function faultOfReading(error: unknown): { line?: number | undefined; reason: string } {
  if (error instanceof CsvError) return { line: error.line, reason: error.message };
  if (error instanceof WorkbookError) return { reason: error.message };
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
  form: Omit<SourceDescription, 'file'>,
  faults: FaultList,
  onRow: () => void = () => {},
): Promise<Source | undefined> {
  const { header, columns: given = [], characters = {}, empty = [NOTHING], fill = [], drop = [] } = form;
  const read: TableRow[] = [];
  const wrong: { where: Origin; reason: string }[] = [];
  const asides: AsideOfSheet[] = [];
  const onFault = (where: Origin, reason: string) => wrong.push({ where, reason });
  for await (const row of readRows(onFault, (what, range) => asides.push({ what, range }))) {
    onRow();
    read.push(row);
  }
  const textsOf = ({ cells }: TableRow) =>
    cells.map((cell) => (typeof cell === 'string' ? replaceAll(cell, characters) : ''));
  const found = header ?? headerOf(read);
  const [first = 0, last = first] = found === 'none' ? [] : found.split('-').map(Number);
  const heads = read.filter(({ at }) => first > 0 && at >= first && at <= last);
  if (first > 0 && heads.length === 0) {
    faults.add({ ...place(), reason: `has no row ${first} with the names of the columns` });
    return undefined;
  }
  // Titles above the header, and groups of columns in it, may be merged.
  for (const { where, reason } of wrong) {
    const row = where.line ?? Number(/\d+$/.exec(where.cell ?? '')?.[0] ?? first);
    if (row > last || (row === first && first === last)) faults.add({ ...where, reason });
  }
  const names = joinHeads(heads.map(textsOf));
  const columns = columnNames([...given, ...names.slice(given.length)]);
  const isHead = (row: TableRow) =>
    heads.some((head) => textsOf(head).join('\0') === textsOf(row).join('\0'));
  const repeated = read.filter((row) => row.at > last && isHead(row));
  const below = read.filter((row) => row.at > last && !isHead(row));
  const isSheet = place(1).cell !== undefined;
  const [width, isOpen] = [columns.length, isSheet || columns.length === 0];
  for (const { at, cells } of below) {
    const isLonger = cells.slice(width).some((cell) => typeof cell !== 'string' || cell.trim() !== '');
    if (isLonger && !isOpen) {
      const reason = `has ${cells.length} cells, the header ${width}; put a text with a separator in quotes`;
      faults.add({ ...place(at), reason });
    }
    while (isOpen && columns.length < cells.length) columns.push(`column ${columns.length + 1}`);
  }
  const dropped = new Set(drop.map((column) => columns.indexOf(column)));
  const rows = below.map((row) => ({ at: row.at, cells: textsOf(row) }));
  const source: Source = { name, title, columns, rows, dropped, place, header: found, notes: [] };
  if (repeated[0]) {
    const where = describeOrigin(place(repeated[0].at));
    source.notes.push(`${repeated.length} left out as the header again, such as ${where}`);
  }
  const titles = read
    .filter(({ at }) => at < first)
    .flatMap((row) => textsOf(row).filter((text) => text !== ''));
  if (titles.length > 0)
    source.notes.push(`${counted(titles.length, 'cell')} above the header left out, such as "${titles[0]}"`);
  const changed = below.flatMap(({ cells }, row) =>
    cells.filter((cell, column) => typeof cell === 'string' && cell.trim() !== rows[row]?.cells[column]),
  );
  if (changed.length > 0) source.notes.push(`${counted(changed.length, 'cell')} changed by characters`);
  for (const { at, cells } of [...heads, ...below]) {
    for (const [column, cell] of cells.entries()) {
      if (typeof cell === 'string' || dropped.has(column)) continue;
      faults.add({ ...cellOrigin(source, at, column), reason: cell.fault });
    }
  }
  const short = isSheet ? [] : rows.filter(({ cells }) => cells.length < columns.length);
  if (short[0])
    source.notes.push(
      `${short.length} with fewer cells than columns, such as ${describeOrigin(place(short[0].at))}`,
    );
  noteAsides(source, asides);
  noteQuotes(source, form.quote);
  for (const text of empty) emptyCells(source, text);
  for (const column of fill) fillDown(source, column);
  for (const column of columns.keys()) noteTurnedDates(source, column);
  return source;
}

interface AsideOfSheet {
  what: Aside;
  range: string;
}

/** Notes what a sheet has beside the texts of its cells, and what of it is hidden. */
function noteAsides({ columns, rows, notes }: Source, asides: readonly AsideOfSheet[]): void {
  const rangesOf = (wanted: Aside) =>
    asides.flatMap(({ what, range }) => {
      if (what !== wanted) return [];
      const [first = '', last = first] = range.split(':');
      const rowOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0);
      const columnOf = (name: string) => columnOfCell(`${name}1`) ?? 0;
      return [{ rows: [rowOf(first), rowOf(last)], columns: [columnOf(first), columnOf(last)] }];
    });
  const isIn = (place: number, [first = 0, last = 0]: readonly number[]) => first <= place && place <= last;
  for (const [what, told] of [
    ['link', 'with a link, of which only the text is read'],
    ['comment', 'with a comment, which is not read'],
  ] as const) {
    const ranges = rangesOf(what);
    for (const [column, name] of columns.entries()) {
      const own = ranges.filter((range) => isIn(column, range.columns));
      const count = own.reduce((sum, { rows: [first = 0, last = 0] }) => sum + last - first + 1, 0);
      if (count > 0) notes.push(`${counted(count, 'cell')} of ${name} ${told}`);
    }
  }
  const hidden = new Set(rangesOf('hidden row').flatMap((range) => range.rows));
  const hiddenRows = rows.filter(({ at }) => hidden.has(at));
  const ranges = rangesOf('hidden column');
  const hiddenColumns = columns.filter(
    (_, column) =>
      ranges.some((range) => isIn(column, range.columns)) &&
      rows.some(({ cells }) => (cells[column] ?? '') !== ''),
  );
  if (hiddenRows.length + hiddenColumns.length === 0) return;
  const names = hiddenColumns.length > 0 ? ` (${hiddenColumns.join(', ')})` : '';
  const what = `${counted(hiddenRows.length, 'row')} and ${counted(hiddenColumns.length, 'column')}${names}`;
  notes.push(
    `HIDDEN IN THE SHEET, but read as the others: ${what}; leave out what is private by skip or drop`,
  );
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

/** What databases write where there is no value. */
const NOTHING = '\\N';

/** Empties the cells that have a text that stands for nothing. */
function emptyCells({ rows, notes }: Source, text: string): void {
  let count = 0;
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      if (cell !== text) continue;
      cells[column] = '';
      count += 1;
    }
  }
  if (count > 0) notes.push(`${counted(count, 'cell')} with "${text}" read as empty`);
}

/** Notes texts in quotes that were read as a part of them. */
function noteQuotes({ rows, notes }: Source, quote: SourceDescription['quote']): void {
  const quoted = rows.flatMap(({ cells }) => cells.filter((cell) => /^".+"$/s.test(cell)));
  if (quote === undefined && quoted.length > 0)
    notes.push(
      `${counted(quoted.length, 'text')} in quotes, which stay: quote: '"' in the source takes them off`,
    );
}

function replaceAll(cell: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .reduce((text, [from, to]) => text.replaceAll(from, to), cell)
    .trim();
}

/** Rows among which the header is looked for. */
const HEAD = 20;

/**
 * The row of the header: the first row with at least half as many texts as the fullest of the first; above it are titles. Two
 * rows, if the first names groups of columns whose names are in the second.
 */
function headerOf(rows: readonly TableRow[]): string {
  const texts = rows
    .slice(0, HEAD)
    .map(({ cells }) => cells.map((cell) => (typeof cell === 'string' ? cell.trim() : '')));
  const filled = texts.map((cells) => cells.filter((cell) => cell !== '').length);
  const most = Math.max(0, ...filled);
  const found = Math.max(
    0,
    filled.findIndex((count) => count * 2 >= most && (count > 1 || most === 1)),
  );
  const placeOf = (index: number) => rows[index]?.at ?? 1;
  for (const top of [found - 1, found]) {
    const [groups, names] = [texts[top], texts[top + 1]];
    if (!groups || !names || (filled[top] ?? 0) < 2 || (filled[top] ?? 0) >= most || filled.length < top + 3)
      continue;
    const both = joinHeads([groups, names]);
    const isNamed = (name: string, column: number) =>
      name === '' || [name, both[column] ?? ''].some((one) => conceptOf(one) !== undefined);
    if (names.every(isNamed)) return `${placeOf(top)}-${placeOf(top + 1)}`;
  }
  return String(placeOf(found));
}

/** The names of columns in one or two rows: a group of columns has its name above the first, and goes before those that need it. */
function joinHeads([names = [], ...below]: readonly (readonly string[])[]): readonly string[] {
  const [lower] = below;
  if (!lower) return names;
  let group = '';
  return Array.from({ length: Math.max(names.length, lower.length) }, (_, column) => {
    const [name = '', own = ''] = [names[column], lower[column]];
    if (name !== '' || own === '') group = name;
    const both = `${group} ${own}`.trim();
    const isClear = lower.filter((other) => other === own).length === 1 && !conceptOf(both);
    return isClear && own !== '' ? own : both;
  });
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
