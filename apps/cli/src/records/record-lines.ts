import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER, journalPath, readJournal } from '@archiefkast/client/node';
import { readLines } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';

/** The line of a record in a file. */
export interface RecordLine {
  line: Buffer;
  path: string;
  /** Offset of the block that contains the line, in bytes. */
  start: number;
  /** Number of records before it in the block. */
  skip: number;
}

/** A file with the records of a kind: a harvest's journal, or a bundle's jsonl file. */
export interface RecordFile {
  kind: Kind;
  path: string;
  format: 'journal' | 'jsonl';
}

/**
 * Finds the file with the records of a kind; undefined if the folder has none.
 *
 * @param folder a harvest's folder, a bundle, or a journal folder itself
 */
export async function findRecords(folder: string, kind: Kind): Promise<RecordFile | undefined> {
  const candidates: RecordFile[] = [
    { kind, path: journalPath(folder, kind), format: 'journal' },
    { kind, path: journalPath(join(folder, JOURNAL_FOLDER), kind), format: 'journal' },
    { kind, path: join(folder, `${COLLECTIONS[kind]}.jsonl`), format: 'jsonl' },
  ];
  for (const candidate of candidates) {
    const found = await access(candidate.path).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return undefined;
}

/**
 * Reads the records of a file in order.
 *
 * @param from offset to begin at: the `start` of a record
 */
export async function* recordLines(
  { path, format }: RecordFile,
  from = 0,
): AsyncGenerator<RecordLine, void, void> {
  if (format === 'jsonl') {
    for await (const { bytes, start } of readLines(path, from)) yield { line: bytes, path, start, skip: 0 };
    return;
  }
  let at = -1;
  let skip = 0;
  for await (const { lines, start } of readJournal(path, from)) {
    if (start !== at) skip = 0;
    at = start;
    for (const line of lines) {
      yield { line, path, start, skip };
      skip += 1;
    }
  }
}

/** A record with unchecked fields. */
export type LooseRecord = Readonly<Record<string, unknown>>;

/**
 * Parses the line of a record.
 *
 * @throws FolderError if it is not a JSON object with a uuid
 */
export function parseRecord({ line, path, start, skip }: RecordLine): LooseRecord & { uuid: string } {
  const record: unknown = parseJson(line);
  if (!isObject(record) || typeof record['uuid'] !== 'string') {
    throw new FolderError(
      `${path}: byte ${start}, record ${skip + 1}: expected a record with a uuid, as a line of JSON`,
    );
  }
  return { ...record, uuid: record['uuid'].toLowerCase() };
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is LooseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}
