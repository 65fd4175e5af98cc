import { posix } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { describeFile } from './describe-file.ts';
import { damaged, type Part } from './parse-xml.ts';
import { readDateStyles, readRelations, readSharedTexts, readWorkbookPart } from './read-parts.ts';
import { readSheet, type SheetRow } from './read-sheet.ts';
import { SharedTexts } from './shared-texts.ts';
import { WORKBOOK_LIMITS, WorkbookError, type WorkbookLimits } from './workbook-limits.ts';

/** Minimum allowance of markup per part, in characters. */
const LEAST_MARKUP = 64 * 1024;

/** A sheet of an open workbook. */
export interface WorkbookSheet {
  name: string;
  /**
   * The rows that are not empty, in order.
   *
   * @param onMerge called with every range of merged cells, after the last row
   * @throws WorkbookError if the sheet is damaged or exceeds the limits
   */
  rows(onMerge?: (range: string) => void): AsyncGenerator<SheetRow>;
}

/** An open workbook. */
export interface Workbook {
  sheets: readonly WorkbookSheet[];
  close(): void;
}

/**
 * Opens a workbook (.xlsx). Shared texts and a few rows are in memory at a time.
 *
 * @param limits overrides of `WORKBOOK_LIMITS`
 * @throws WorkbookError if the file is not a workbook, or exceeds the limits
 */
export async function openWorkbook(file: string, limits: Partial<WorkbookLimits> = {}): Promise<Workbook> {
  const zip = await openZip(file);
  try {
    return await readStructure(zip, { ...WORKBOOK_LIMITS, ...limits });
  } catch (error) {
    zip.close();
    throw (await otherFormat(file)) ?? damaged(error);
  }
}

/** The error of a file in another format, whatever its name says; undefined if the format is unknown. */
async function otherFormat(file: string): Promise<WorkbookError | undefined> {
  const description = await describeFile(file);
  return description === undefined ? undefined : new WorkbookError(description);
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    throw (await otherFormat(file)) ?? new WorkbookError('is not a workbook (.xlsx), or is damaged');
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
    throw new WorkbookError(`is more than ${megabytes} MB unzipped; a folder of CSV files has no size limit`);
  }
  const open = async (name: string): Promise<Part> => {
    const entry = entries.get(name);
    if (!entry) throw new WorkbookError(`is not a workbook (.xlsx): it has no ${name}`);
    const stream = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw damaged(error, name);
    });
    // The parts share one allowance, so that many small ones get no more than a single one.
    const markup = Math.max(LEAST_MARKUP, (limits.markup * entry.uncompressedSize) / bytes);
    const isDense = entry.uncompressedSize <= limits.ratio * entry.compressedSize;
    return { name, stream, isDense, markup, depth: limits.depth };
  };
  const relationsOf = async (part: string) => {
    const { dir, base } = posix.parse(part);
    const relations = await readRelations(await open(posix.join(dir, '_rels', `${base}.rels`)));
    const resolve = (target: string) => (target.startsWith('/') ? target.slice(1) : posix.join(dir, target));
    return new Map([...relations].map(([id, { type, target }]) => [id, { type, part: resolve(target) }]));
  };
  const main = [...(await relationsOf('')).values()].find(({ type }) => type === 'officeDocument');
  if (!main) throw new WorkbookError('is not a workbook (.xlsx): it has no main part');
  const { dateSystem, sheets } = await readWorkbookPart(await open(main.part));
  const relations = await relationsOf(main.part);
  const optional = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.part;
  const stylesPart = optional('styles');
  const stringsPart = optional('sharedStrings');
  const dateStyles = stylesPart ? await readDateStyles(await open(stylesPart), limits) : [];
  const texts = stringsPart
    ? await readSharedTexts(await open(stringsPart), limits)
    : new SharedTexts({ texts: 0, bytes: 0 });
  const partOf = (relation: string) => relations.get(relation)?.part ?? relation;
  if (sheets.length > limits.sheets) throw new WorkbookError(`has more than ${limits.sheets} sheets`);
  refuseSameParts(sheets.map(({ name, relation }) => ({ name, part: partOf(relation) })));

  const rowsOf = async function* (name: string, part: string, onMerge: (range: string) => void) {
    const context = { texts, dateStyles, dateSystem, limits, onMerge };
    let rows = 0;
    for await (const row of readSheet(await open(part), context)) {
      rows += 1;
      if (rows > limits.rows) {
        throw new WorkbookError(
          `has more than ${limits.rows} rows in ${name}; a folder of CSV files has no limit`,
        );
      }
      yield row;
    }
  };
  return {
    sheets: sheets.map(({ name, relation }) => ({
      name,
      rows: (onMerge = () => {}) => rowsOf(name, partOf(relation), onMerge),
    })),
    close: () => zip.close(),
  };
}

/** Rejects sheets that share a part, which would be read once for each of them. */
function refuseSameParts(sheets: readonly { name: string; part: string }[]): void {
  const names = new Map<string, string>();
  for (const { name, part } of sheets) {
    const other = names.get(part);
    if (other !== undefined) {
      throw new WorkbookError(
        `has the sheets ${other} and ${name} in the same part, ${part}; expected one part per sheet`,
      );
    }
    names.set(part, name);
  }
}
