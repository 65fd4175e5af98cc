import { basename } from 'node:path';
import { CsvError, headerWords } from '@archiefkast/formats';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import type { FaultList } from '../../publish/bundle/faults.ts';
import { isWorkbook } from '../../publish/bundle/write-bundle.ts';
import { DELIMITERS, type SourceDescription } from '../import-map.ts';
import {
  columnNames,
  faultOfReading,
  type OpenTable,
  openTablesOf,
  type Source,
  SourceError,
  type SourceRow,
} from '../open-sources.ts';

/** A table to draft rules for, with its description for the map. */
export interface DraftTable {
  source: Source;
  description: SourceDescription;
  /** Names of the file and sheet, for hints of the kind. */
  words: readonly string[];
}

/** Rows among which the header is looked for. */
const HEAD = 20;

/**
 * Reads all tables of files that have a header and at least one row after it.
 *
 * @param faults files that cannot be read are added to it
 */
export async function readDraftTables(paths: readonly string[], faults: FaultList): Promise<DraftTable[]> {
  const tables: DraftTable[] = [];
  for (const path of paths) {
    try {
      tables.push(...(await readFileTables(path)));
    } catch (error) {
      faults.add({ file: path, ...faultOfReading(error) });
    }
  }
  faults.throwIfAny();
  for (const [index, { source }] of tables.entries()) {
    const same = tables.slice(0, index).filter((other) => other.source.name === source.name).length;
    if (same > 0) source.name = `${source.name}-${same + 1}`;
  }
  if (tables.length === 0) {
    faults.add({
      file: paths.join(', '),
      reason: 'has no table; expected a row of column names and rows below it',
    });
  }
  faults.throwIfAny();
  return tables;
}

async function readFileTables(path: string): Promise<DraftTable[]> {
  const first = await readTablesAs(path, {}).catch(async (error: unknown) => {
    if (!(error instanceof CsvError)) throw error;
    // Any bytes are Windows-1252: if that fails too, it was not the encoding.
    return readTablesAs(path, { encoding: 'windows-1252' }).catch(() => {
      throw error;
    });
  });
  const [table] = first;
  // Below a first row of names, the delimiter is certain; titles above it may have misled the recognition.
  if (isWorkbook(path) || (table?.description.header === undefined && widthOf(first) > 2)) return first;
  let best = first;
  for (const delimiter of DELIMITERS) {
    const other = await readTablesAs(path, { ...encodingOf(table), delimiter }).catch(() => []);
    if (widthOf(other) > widthOf(best)) best = other;
  }
  return best;
}

function encodingOf(table: DraftTable | undefined): Pick<SourceDescription, 'encoding'> {
  const encoding = table?.description.encoding;
  return encoding === undefined ? {} : { encoding };
}

/** The number of cells that most rows have. */
function widthOf([table]: readonly DraftTable[]): number {
  const widths = (table?.source.rows ?? []).slice(0, HEAD).map(({ cells }) => cells.length);
  return widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? 0;
}

async function readTablesAs(
  path: string,
  form: Pick<SourceDescription, 'encoding' | 'delimiter'>,
): Promise<DraftTable[]> {
  const file = basename(path);
  const { tables, close } = await openTablesOf(path, form);
  try {
    const names = tables.map((table) => table.name);
    if (KINDS.every((kind) => names.includes(COLLECTIONS[kind]))) {
      throw new SourceError(
        'has the sheets of a bundle already; expected other tables: check or publish it as it is',
      );
    }
    const read: DraftTable[] = [];
    for (const table of tables) {
      if (table.name.startsWith('_')) continue;
      const name = slugOf(tables.length > 1 ? table.name : file.replace(/\.\w+$/, ''));
      const found = await readDraftTable(name, table);
      if (!found) continue;
      const sheet = tables.length > 1 ? { sheet: table.name } : {};
      const header = found.header === 1 ? {} : { header: found.header };
      const description = { file, ...sheet, ...header, ...form };
      read.push({ source: found.source, description, words: headerWords(`${file} ${table.name}`) });
    }
    return read;
  } finally {
    close();
  }
}

async function readDraftTable(
  name: string,
  table: OpenTable,
): Promise<{ source: Source; header: number } | undefined> {
  const rows: SourceRow[] = [];
  for await (const { at, cells } of table.rows()) {
    rows.push({ at, cells: cells.map((cell) => (typeof cell === 'string' ? cell.trim() : '')) });
  }
  const first = headerAmong(rows.slice(0, HEAD));
  const header = rows[first];
  if (!header || rows.length === first + 1) return undefined;
  const width = Math.max(...rows.slice(first, first + HEAD).map(({ cells }) => cells.length));
  const headers = Array.from({ length: width }, (_, column) => header.cells[column] ?? '');
  const { title, place } = table;
  const source = {
    name,
    title,
    place,
    columns: columnNames(headers),
    rows: rows.slice(first + 1),
    dropped: new Set<number>(),
  };
  // Empty lines above the header count, as editors show them.
  return { source, header: first === 0 ? 1 : header.at };
}

/** The index of the header: the first row with at least half as many texts as the fullest row; above it are titles. */
function headerAmong(rows: readonly SourceRow[]): number {
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const most = Math.max(0, ...filled);
  return filled.findIndex((count) => count * 2 >= most && (count > 1 || most === 1));
}

/** The name of a file or sheet as that of a source. */
function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'source'
  );
}
