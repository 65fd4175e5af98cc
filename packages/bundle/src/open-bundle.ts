import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readTextLines } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { ARCHIVE_FILE, readArchiveDescription } from './archive-description.ts';
import { BundleError, CHANGED, type Fault, FaultList, fileOf, parseJson } from './faults.ts';
import { nearestName } from './nearest-name.ts';
import { listPageFiles, PAGES_FOLDER } from './own-pages.ts';
import { READING_ORDER } from './record-schemas.ts';
import type { RecordSource, SourceRecord } from './record-source.ts';
import { SUPPLEMENT_FILE } from './supplements.ts';

/** Opens the records of a bundle; it adds faults of the files, and calls `onRow` for every row of a table. */
type Open = (faults: FaultList, onRow: () => void) => Promise<RecordSource>;

/** Bytes that are read and hashed at once. */
const HASHED_BYTES = 1 << 18;

/** A bundle of any form: its files, and how its records are opened. */
export type Bundle = ReturnType<typeof bundleFiles>;

/** A bundle of files. @param paths of which each is hashed @param openRecords opens its records */
export function bundleFiles(paths: readonly string[], openRecords: Open) {
  /** SHA-256 of the content of each file, by its path. One buffer is read into: a stream's would be 80 MB of garbage. */
  const hash = async () => {
    const hashes = new Map<string, string>();
    const buffer = Buffer.allocUnsafe(HASHED_BYTES);
    for (const path of paths) {
      const sha256 = createHash('sha256');
      await using file = await open(path);
      for (let read = await file.read(buffer); read.bytesRead > 0; read = await file.read(buffer))
        sha256.update(buffer.subarray(0, read.bytesRead));
      hashes.set(path, sha256.digest('hex'));
    }
    return hashes;
  };
  return {
    hash,
    /** @throws BundleError if a file is not as it was when it was hashed */
    async requireUnchanged(before: ReadonlyMap<string, string>): Promise<void> {
      for (const [path, sha256] of await hash()) {
        if (before.get(path) !== sha256) throw new BundleError([{ file: basename(path), reason: CHANGED }]);
      }
    },
    /**
     * Opens the records for `work`. Faults are collected, so that the check goes on.
     *
     * @param onRow called for every row of a table, for progress; an error that it throws ends the work
     */
    async read<Result>(
      work: (source: RecordSource, faults: FaultList) => Promise<Result>,
      onRow: () => void = () => {},
    ): Promise<Result> {
      const faults = new FaultList();
      const source = await openRecords(faults, onRow);
      try {
        return await work(source, faults);
      } finally {
        source.close();
      }
    },
  };
}

/**
 * SHA-256 of a bundle: that of its file, or of the lines that `sha256sum` prints for its files in the order of their names.
 *
 * @param hashes SHA-256 of each file, by its path
 */
export function digestOfFiles(hashes: ReadonlyMap<string, string>): string {
  const [[, only = ''] = [], ...others] = hashes;
  if (others.length === 0) return only;
  const lines = [...hashes].map(
    ([path, sha256]) => [basename(path), `${sha256}  ${basename(path)}\n`] as const,
  );
  const inOrder = lines.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return createHash('sha256').update(inOrder.join('')).digest('hex');
}

/**
 * Finds the files of a bundle: a folder of JSON lines or of CSV files, or a workbook.
 *
 * @throws BundleError if the path is not a bundle
 */
export async function findBundle(path: string): Promise<Bundle> {
  const found = await stat(path).catch(() => undefined);
  const openTables = (files?: readonly string[]): Open => {
    return async (faults, onRow) => {
      const { openTableRecords } = await import('./tables/table-records.ts');
      return openTableRecords(path, files, faults, onRow);
    };
  };
  if (found?.isFile() && /\.xlsx$/i.test(path)) return bundleFiles([path], openTables());
  if (!found) return refuse({ file: path, reason: await describeMissing(path, 'a bundle') });
  if (!found.isDirectory()) {
    const { describeFile } = await import('@archiefkast/formats');
    const reason = 'is not a bundle: expected a folder, or a workbook whose name ends in .xlsx';
    return refuse({ file: path, reason: (found.isFile() && (await describeFile(path))) || reason });
  }
  const names = (await readdir(path)).sort();
  const paths = (files: readonly string[]) => files.map((file) => join(path, file)).filter(existsSync);
  const pages = (await listPageFiles(path)).map((file) => join(PAGES_FOLDER, file));
  const lines = READING_ORDER.map(fileOf);
  const missing = lines.filter((file) => !names.includes(file));
  if (missing.length === 0) {
    const files = paths([...lines, ARCHIVE_FILE, SUPPLEMENT_FILE, ...pages]);
    return bundleFiles(files, (faults) => openJsonLines(path, faults));
  }
  if (missing.length < lines.length) {
    const reason = `is missing in ${path}; use an empty file for a kind without records`;
    throw new BundleError(missing.map((file) => ({ file, reason })));
  }
  const tables = names.filter((name) => /\.csv$/i.test(name) && !name.startsWith('_'));
  if (tables.length > 0) return bundleFiles(paths([...tables, ARCHIVE_FILE, ...pages]), openTables(tables));
  const files = names.filter((name) => /\.(xlsx?|xlsm|ods)$/i.test(name));
  const others = files.length > 0 ? `, but ${files.join(', ')}: name the workbook itself` : '';
  const reason = `is not a bundle: it has no tables (persons.csv …) and no files of JSON lines (persons.jsonl …)${others}`;
  return refuse({ file: path, reason });
}

/** Opens a bundle of JSON lines. Faults of the description of the archive are added to `faults`. */
async function openJsonLines(folder: string, faults: FaultList): Promise<RecordSource> {
  const archive = await readArchiveDescription(folder, faults);
  const unread: Kind[] = [];
  for (const kind of READING_ORDER) {
    const reason = await otherFormat(join(folder, fileOf(kind)));
    if (reason === undefined) continue;
    faults.add({ file: fileOf(kind), reason });
    unread.push(kind);
  }
  return {
    archive,
    archiveAt: { file: ARCHIVE_FILE },
    folder,
    unread,
    supplement: join(folder, SUPPLEMENT_FILE),
    fileOf,
    at: (kind, line, field) => ({ file: fileOf(kind), line, field }),
    records: (kind) => readRecords(join(folder, fileOf(kind))),
    close() {},
  };
}

async function* readRecords(path: string): AsyncGenerator<SourceRecord> {
  for await (const { number: at, text } of readTextLines(path)) {
    if (text === undefined) yield { at, value: undefined, length: 0, reason: 'is not UTF-8 text' };
    else yield { at, ...parseJson(text), length: text.length };
  }
}

/** Why a file is not JSON lines, judging by its first line; undefined if it may be. */
async function otherFormat(path: string): Promise<string | undefined> {
  for await (const { text = '' } of readTextLines(path)) {
    const start = text.trim();
    if (start.startsWith('['))
      return 'is a JSON array; expected one record per line, without brackets and commas';
    if (start === '{') return 'is JSON spread over several lines; expected one record per line';
    if (/^"?\w+"?[,;\t]/.test(start)) return 'is a CSV file; its name should end in .csv';
    break;
  }
  return undefined;
}

function refuse(fault: Fault): never {
  throw new BundleError([fault]);
}

/** Why a path that does not exist is none, with one beside it that may be meant. */
export async function describeMissing(path: string, expected: string): Promise<string> {
  const folder = dirname(resolve(path));
  const beside = await readdir(folder).catch(() => undefined);
  if (!beside) return `does not exist, nor does the folder ${folder}; expected ${expected}`;
  const near = nearestName(basename(path), beside);
  return `does not exist in ${folder}; ${near ? `did you mean ${near}?` : `expected ${expected}`}`;
}
