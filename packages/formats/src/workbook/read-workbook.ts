import { posix } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { fromCellText } from './cells.ts';
import { describeFile } from './describe-file.ts';
import { compileFormat, type DateSystem, type ShowNumber } from './number-formats.ts';
import { damaged, type Part, parseAll, WorkbookError } from './parse-xml.ts';
import {
  type OnAside,
  readSheet,
  type SheetRow,
  WORKBOOK_LIMITS,
  type WorkbookCounts,
  type WorkbookLimits,
} from './read-sheet.ts';

/** What a shared text counts for: all of them are in memory. */
const CELLS_OF_SHARED = 4;

export interface WorkbookSheet {
  name: string;
  isHidden: boolean;
  /**
   * The rows that are not empty, in order.
   *
   * @param onAside called with what is hidden, and after the last row with merged cells, links, comments and drawings
   * @throws WorkbookError if the sheet is damaged or exceeds the limits
   */
  rows(onAside?: OnAside): AsyncGenerator<SheetRow>;
}

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
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(file, { autoClose: false });
    return await readStructure(zip, { ...WORKBOOK_LIMITS, ...limits });
  } catch (error) {
    zip?.close();
    if (error instanceof Error && 'syscall' in error) throw error;
    // A file in another format, whatever its name says.
    const description = await describeFile(file);
    if (description !== undefined) throw new WorkbookError(description);
    throw zip ? damaged(error) : new WorkbookError('is not a workbook (.xlsx), or is damaged');
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
    return { name, stream };
  };
  const relationsOf = async (part: string) => {
    const { dir, base } = posix.parse(part);
    const resolve = (target: string) => (target.startsWith('/') ? target.slice(1) : posix.join(dir, target));
    return await readRelations(await open(posix.join(dir, '_rels', `${base}.rels`)), resolve);
  };
  const relationsOfSheet = async (part: string) => {
    const { dir, base } = posix.parse(part);
    return entries.has(posix.join(dir, '_rels', `${base}.rels`)) ? (await relationsOf(part)).values() : [];
  };
  const counts = { cells: 0, text: 0 };
  const main = [...(await relationsOf('')).values()].find(({ type }) => type === 'officeDocument');
  if (!main) throw new WorkbookError('is not a workbook (.xlsx): it has no main part');
  const { dateSystem, sheets } = await readWorkbookPart(await open(main.part));
  const relations = await relationsOf(main.part);
  const optional = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.part;
  const stylesPart = optional('styles');
  const stringsPart = optional('sharedStrings');
  const shows = stylesPart ? await readNumberFormats(await open(stylesPart)) : [];
  const texts = stringsPart ? await readSharedTexts(await open(stringsPart), limits, counts) : [];

  return {
    sheets: sheets.map(({ relation, ...sheet }) => ({
      ...sheet,
      async *rows(onAside = () => {}) {
        const part = relations.get(relation)?.part ?? relation;
        yield* readSheet(await open(part), { texts, shows, dateSystem, limits, counts, onAside });
        for (const { type, part: name } of await relationsOfSheet(part)) {
          if (type === 'comments') await readComments(await open(name), onAside);
          if (type === 'drawing') await readDrawing(await open(name), onAside);
        }
      },
    })),
    close: () => zip.close(),
  };
}

/** Reads `workbook.xml`: the sheets in order, and how days are counted. */
async function readWorkbookPart(part: Part) {
  const dateSystem: DateSystem = { is1904: false };
  const sheets: { name: string; isHidden: boolean; relation: string }[] = [];
  await parseAll(part, {
    open(name, attributes) {
      if (name === 'fileVersion') dateSystem.program = attributes['appName'];
      if (name === 'workbookPr') dateSystem.is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const isHidden = /hidden/i.test(attributes['state'] ?? '');
      sheets.push({ name: attributes['name'] ?? '', isHidden, relation });
    },
  });
  return { dateSystem, sheets };
}

/** Reads the relations of a part: type and part of their targets, by id. */
async function readRelations(part: Part, resolve: (target: string) => string) {
  const relations = new Map<string, { type: string; part: string }>();
  await parseAll(part, {
    open(name, { Id = '', Target = '', Type = '' }) {
      if (name === 'Relationship')
        relations.set(Id, { type: Type.split('/').at(-1) ?? '', part: resolve(Target) });
    },
  });
  return relations;
}

/** Reads the comments of a sheet. */
async function readComments(part: Part, onAside: OnAside): Promise<void> {
  await parseAll(part, {
    open(name, { ref = '' }) {
      if (name === 'comment') onAside('comment', ref);
    },
  });
}

/** Reads the pictures of a sheet, and the shapes that have a text. */
async function readDrawing(part: Part, onAside: OnAside): Promise<void> {
  let isShape = false;
  await parseAll(part, {
    open(name) {
      if (name === 'pic') onAside('picture', '');
      if (name === 't' && isShape) onAside('shape', '');
      if (name === 'sp' || name === 't') isShape = name === 'sp';
    },
  });
}

/** Reads `styles.xml`: how the cells of each style show a number. */
async function readNumberFormats(part: Part): Promise<(ShowNumber | undefined)[]> {
  const codes = new Map<number, string>();
  const styles: (ShowNumber | undefined)[] = [];
  await parseAll(part, {
    open(name, { numFmtId = 0, formatCode = '' }, parent) {
      const number = Number(numFmtId);
      if (name === 'numFmt') codes.set(number, formatCode);
      if (name === 'xf' && parent === 'cellXfs') styles.push(compileFormat(number, codes.get(number)));
    },
  });
  return styles;
}

/** Reads `sharedStrings.xml`: the shared texts, without markup. @throws WorkbookError if they exceed the limits */
async function readSharedTexts(
  part: Part,
  { cells, cellText }: WorkbookLimits,
  counts: WorkbookCounts,
): Promise<string[]> {
  const texts: string[] = [];
  const close = (name: string, text: string) => {
    if (name !== 'si') return;
    texts.push(fromCellText(text));
    counts.cells += CELLS_OF_SHARED;
    if (counts.cells > cells)
      throw new WorkbookError(`has more than ${Math.floor(cells / CELLS_OF_SHARED)} shared texts`);
  };
  await parseAll(part, { close }, cellText);
  return texts;
}
