import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { journalPath, readJournal, writeWhole } from '@archive/client/node';
import { COLLECTIONS, CSV_COLUMNS, csvCell, csvLine, type Kind } from '@archive/types';

/** The formats a harvest can be written in. */
export const FORMATS = ['csv', 'jsonl'] as const;

/** A format a harvest can be written in. */
export type Format = (typeof FORMATS)[number];

/** What proves that a file is whole. */
export interface FileProof {
  name: string;
  bytes: number;
  sha256: string;
}

/** How files are written. */
export interface ExportOptions {
  journalFolder: string;
  folder: string;
  /** Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8. */
  bom: boolean;
}

/** Lines are collected up to this many bytes before they are written. */
const BLOCK = 256 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** Writes the records of one kind, as the journal holds them, into a file of one format. */
export async function exportKind(kind: Kind, format: Format, options: ExportOptions): Promise<FileProof> {
  const name = `${COLLECTIONS[kind]}.${format}`;
  let proof: FileProof = { name, bytes: 0, sha256: '' };
  await writeWhole(join(options.folder, name), async (file) => {
    const pages = format === 'csv' ? csvPages(kind, options) : jsonPages(kind, options);
    proof = { name, ...(await writeLines(file, pages)) };
  });
  return proof;
}

async function* csvPages(kind: Kind, options: ExportOptions): AsyncGenerator<string[]> {
  const columns = [...CSV_COLUMNS[kind], ...(await extraFields(kind, options))];
  if (options.bom) yield [BYTE_ORDER_MARK];
  yield [csvLine(columns)];
  for await (const records of recordPages(kind, options)) {
    yield records.map((record) => csvLine(columns.map((column) => csvCell(column, record[column]))));
  }
}

/** Fields that the contract does not know, which a lenient harvest keeps: they become the last columns. */
async function extraFields(kind: Kind, options: ExportOptions): Promise<Set<string>> {
  const known = new Set(CSV_COLUMNS[kind]);
  const extra = new Set<string>();
  for await (const records of recordPages(kind, options)) {
    for (const field of records.flatMap(Object.keys)) if (!known.has(field)) extra.add(field);
  }
  return extra;
}

async function* recordPages(
  kind: Kind,
  options: ExportOptions,
): AsyncGenerator<Readonly<Record<string, unknown>>[]> {
  for await (const lines of jsonPages(kind, options)) yield lines.map((line) => JSON.parse(line.toString()));
}

/** The lines of the records, those of a page at a time. */
async function* jsonPages(kind: Kind, { journalFolder }: ExportOptions): AsyncGenerator<Buffer[]> {
  for await (const { lines } of readJournal(journalPath(journalFolder, kind))) yield lines;
}

async function writeLines(
  file: FileHandle,
  pages: AsyncIterable<readonly (string | Buffer)[]>,
): Promise<Omit<FileProof, 'name'>> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK);
  let filled = 0;
  let bytes = 0;
  const write = async (data: Buffer) => {
    hash.update(data);
    bytes += data.length;
    await file.appendFile(data);
  };
  for await (const lines of pages) {
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (filled + length > BLOCK) {
        await write(block.subarray(0, filled));
        filled = 0;
      }
      if (length > BLOCK) await write(Buffer.from(line));
      else filled += typeof line === 'string' ? block.write(line, filled) : line.copy(block, filled);
    }
  }
  await write(block.subarray(0, filled));
  return { bytes, sha256: hash.digest('hex') };
}
