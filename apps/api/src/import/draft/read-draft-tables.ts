import { basename } from 'node:path';
import { CsvError, headerWords } from '@archiefkast/formats';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { FaultList } from '../../publish/bundle/faults.ts';
import { isWorkbook } from '../../publish/bundle/write-bundle.ts';
import { DELIMITERS, type SourceDescription } from '../import-map.ts';
import { faultOfReading, openTablesOf, readTable, type Source, SourceError } from '../open-sources.ts';

/** A table to draft rules for, with its description for the map. */
export interface DraftTable {
  source: Source;
  description: SourceDescription;
  /** Names of the file and sheet, for hints of the kind. */
  words: readonly string[];
}

/** The bytes for which Windows-1252 has no character. */
const NO_CHARACTER = /[\u0080-\u009f]/;

/**
 * Reads all tables of files that have a header and at least one row after it.
 *
 * @param faults files that cannot be read are added to it
 */
export async function readDraftTables(paths: readonly string[], faults: FaultList): Promise<DraftTable[]> {
  const tables: DraftTable[] = [];
  for (const path of paths) {
    try {
      const found = await readFileTables(path);
      const reason = 'has no table; expected a row of column names and rows below it';
      if (found.length === 0) faults.add({ file: path, reason });
      tables.push(...found);
    } catch (error) {
      faults.add({ file: path, ...faultOfReading(error) });
    }
  }
  faults.throwIfAny();
  for (const [index, { source }] of tables.entries()) {
    const same = tables.slice(0, index).filter((other) => other.source.name === source.name).length;
    if (same > 0) source.name = `${source.name}-${same + 1}`;
  }
  return tables;
}

async function readFileTables(path: string): Promise<DraftTable[]> {
  let form: Pick<SourceDescription, 'encoding' | 'delimiter'> = {};
  let best = await readTablesAs(path, form).catch(async (error: unknown) => {
    if (!(error instanceof CsvError)) throw error;
    form = { encoding: 'windows-1252' };
    // Nearly any bytes are Windows-1252: if some are not, or it fails too, it was not the encoding.
    const tables = await readTablesAs(path, form).catch(() => []);
    if (tables.length > 0 && !tables.some(({ source }) => isOtherEncoding(source))) return tables;
    throw error;
  });
  const [table] = best;
  // Below a first row of names, the delimiter is certain; titles above it may have misled the recognition.
  if (isWorkbook(path) || (table?.description.header === undefined && widthOf(best) > 2)) return best;
  for (const delimiter of DELIMITERS) {
    const other = await readTablesAs(path, { ...form, delimiter }).catch(() => []);
    if (widthOf(other) > widthOf(best)) best = other;
  }
  return best;
}

function isOtherEncoding({ rows }: Source): boolean {
  return rows.some(({ cells }) => cells.some((cell) => cell.includes('\0') || NO_CHARACTER.test(cell)));
}

/** The number of cells that most rows have. */
function widthOf([table]: readonly DraftTable[]): number {
  const widths = (table?.source.rows ?? []).slice(0, 20).map(({ cells }) => cells.length);
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
    for (const table of tables.filter(({ name }) => !name.startsWith('_'))) {
      const sheet = tables.length > 1 ? table.name : undefined;
      const name = slugOf(sheet ?? file.replace(/\.\w+$/, ''));
      const source = await readTable(name, table, {}, new FaultList('import'));
      if (!source || source.rows.length === 0) continue;
      const { header } = source;
      const place = { ...(sheet !== undefined && { sheet }), ...(header > 1 && { header }) };
      const words = headerWords(`${file} ${table.name}`);
      read.push({ source, description: { file, ...place, ...form }, words });
    }
    return read;
  } finally {
    close();
  }
}

/** The name of a file or sheet as that of a source. */
function slugOf(text: string): string {
  const words = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return words.replaceAll(/^-|-$/g, '') || 'source';
}
