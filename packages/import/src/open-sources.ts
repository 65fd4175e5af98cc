import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { describeMissing, type FaultList } from '@archiefkast/bundle';
import { hintOf } from '@archiefkast/bundle/nearest-name';
import { openCsvTable, openSheets, type SourceTable } from '@archiefkast/bundle/tables';
import { isWorkbook } from '@archiefkast/bundle/write-bundle';
import { CsvError, type CsvForm, describeContent, describeFile, WorkbookError } from '@archiefkast/formats';
import { counted } from '@archiefkast/system';
import type { SourceDescription } from './import-map.ts';
import type { OpenMap } from './read-map.ts';
import { readTable } from './read-source.ts';
import { findColumn, type Source } from './source.ts';

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
