import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { readDateStyles, readRelations, readSharedStrings, readWorkbookPart } from './read-parts.ts';
import { readSheet, type SheetRow } from './read-sheet.ts';
import { WorkbookError } from './workbook-error.ts';

/** How large a workbook may be; beyond it, memory and time would have no bound. */
export interface WorkbookLimits {
  /** Bytes of all parts, unzipped. */
  bytes: number;
  /** Rows of one sheet. */
  rows: number;
}

/** The limits where none are given. */
export const WORKBOOK_LIMITS: WorkbookLimits = { bytes: 512 * 1024 * 1024, rows: 250_000 };

/** A sheet of an open workbook. */
export interface WorkbookSheet {
  name: string;
  /**
   * The rows that hold anything, from the first.
   *
   * @param onMerge called with every range of merged cells, after the last row
   */
  rows(onMerge?: (range: string) => void): AsyncGenerator<SheetRow>;
}

/** An open workbook. */
export interface Workbook {
  sheets: readonly WorkbookSheet[];
  close(): void;
}

/**
 * Opens a workbook (.xlsx). Its shared texts are in memory, and a few rows at a time.
 *
 * @throws WorkbookError when the file is not one, or beyond the limits
 */
export async function openWorkbook(
  file: string,
  limits: WorkbookLimits = WORKBOOK_LIMITS,
): Promise<Workbook> {
  const zip = await openZip(file);
  try {
    return await readStructure(zip, limits);
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    throw new WorkbookError('is not a workbook (.xlsx), or is protected by a password');
  }
}

async function readStructure(zip: ZipFile, limits: WorkbookLimits): Promise<Workbook> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, entry);
    bytes += entry.uncompressedSize;
  }
  if (bytes > limits.bytes) {
    const megabytes = Math.floor(limits.bytes / 1024 / 1024);
    throw new WorkbookError(
      `is more than ${megabytes} MB unzipped; a folder of CSV files may be of any size`,
    );
  }
  const open = async (name: string): Promise<Readable> => {
    const entry = entries.get(name);
    if (!entry) throw new WorkbookError(`is not a workbook (.xlsx): it has no ${name}`);
    return zip.openReadStreamPromise(entry);
  };
  const relationsOf = async (part: string) => {
    const { dir, base } = posix.parse(part);
    const relations = await readRelations(await open(posix.join(dir, '_rels', `${base}.rels`)));
    const resolve = (target: string) => (target.startsWith('/') ? target.slice(1) : posix.join(dir, target));
    return new Map([...relations].map(([id, { type, target }]) => [id, { type, part: resolve(target) }]));
  };
  const main = [...(await relationsOf('')).values()].find(({ type }) => type === 'officeDocument');
  if (!main) throw new WorkbookError('is not a workbook (.xlsx): it names no main part');
  const { is1904, sheets } = await readWorkbookPart(await open(main.part));
  const relations = await relationsOf(main.part);
  const optional = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.part;
  const stylesPart = optional('styles');
  const stringsPart = optional('sharedStrings');
  const dateStyles = stylesPart ? await readDateStyles(await open(stylesPart)) : [];
  const strings = stringsPart ? await readSharedStrings(await open(stringsPart)) : [];

  const rowsOf = async function* (name: string, part: string, onMerge: (range: string) => void) {
    let rows = 0;
    for await (const row of readSheet(await open(part), { strings, dateStyles, is1904, onMerge })) {
      rows += 1;
      if (rows > limits.rows) {
        throw new WorkbookError(
          `has more than ${limits.rows} rows in ${name}; a folder of CSV files may have any number`,
        );
      }
      yield row;
    }
  };
  return {
    sheets: sheets.map(({ name, relation }) => ({
      name,
      rows: (onMerge = () => {}) => rowsOf(name, relations.get(relation)?.part ?? relation, onMerge),
    })),
    close: () => zip.close(),
  };
}
