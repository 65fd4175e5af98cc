import { basename } from 'node:path';
import { FaultList } from '@archiefkast/bundle';
import { CsvError, conceptOf, headerWords, WorkbookError } from '@archiefkast/formats';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import type { SourceDescription } from '../import-map.ts';
import { faultOfReading, openFile } from '../open-sources.ts';
import { readTable } from '../read-source.ts';
import type { Source } from '../source.ts';

/** A table to draft rules for, with its description for the map. */
export interface DraftTable {
  source: Source;
  description: SourceDescription;
  /** Names of the file and sheet, for hints of the kind. */
  words: readonly string[];
}

/** How a file is read, where it is not recognised. */
type Form = Pick<SourceDescription, 'encoding'>;

/** The control characters of FileMaker, each with what it stands for. */
const CHARACTERS = { '\v': '\n', '\x1d': '|' };

/** A text that no header is. */
const DATA = /^(?:[\d.,:/-]*\d[\d.,:/-]*|https?:.*)$/;

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
  try {
    return await readTablesAs(path, {});
  } catch (error) {
    if (!(error instanceof CsvError) || error.encoding === undefined) throw error;
    return await readTablesAs(path, { encoding: error.encoding });
  }
}

async function readTablesAs(path: string, form: Form): Promise<DraftTable[]> {
  const file = basename(path);
  using opened = await openFile(path);
  const tables = opened.tables(form);
  const names = tables.map((table) => table.name);
  if (KINDS.every((kind) => names.includes(COLLECTIONS[kind]))) {
    throw new WorkbookError(
      'has the sheets of a bundle already; expected other tables: check or publish it as it is',
    );
  }
  const read: DraftTable[] = [];
  for (const table of tables.filter(({ name }) => !name.startsWith('_'))) {
    const sheet = tables.length > 1 ? table.name : undefined;
    const name = slugOf(sheet ?? file.replace(/\.\w+$/, ''));
    const faults = new FaultList('import');
    const plain = await readTable(name, table, {}, faults);
    if (!plain) continue;
    const isHeadless = !plain.columns.some(conceptOf) && plain.columns.some((text) => DATA.test(text));
    const header = isHeadless ? 'none' : plain.header;
    const found = Object.entries(CHARACTERS).filter(([character]) =>
      plain.rows.some(({ cells }) => cells.some((cell) => cell.includes(character))),
    );
    const characters = Object.fromEntries(found);
    const source = await readTable(name, table, { header, characters }, faults);
    if (!source || source.rows.length === 0) continue;
    const place = { ...(sheet !== undefined && { sheet }), ...(header !== '1' && { header }) };
    const words = headerWords(`${file} ${table.name}`);
    const description = {
      file,
      ...place,
      ...form,
      ...(found.length > 0 && { characters }),
    };
    read.push({ source, description, words });
  }
  return read;
}

/** The name of a file or sheet as that of a source. */
function slugOf(text: string): string {
  const words = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return words.replaceAll(/^-|-$/g, '') || 'source';
}
