import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER, journalPath, readJournal } from '@archiefkast/client/node';
import { readLines } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';

/** A record as it lies in a file. */
export interface PlacedRecord {
  line: Buffer;
  path: string;
  /** Where the file can be read from to come upon the line, in bytes. */
  start: number;
  /** How many records stand between there and it. */
  skip: number;
}

/** Where the records of one kind lie: in a harvest's journal, or in a bundle's jsonl file. */
export interface RecordFile {
  kind: Kind;
  path: string;
  form: 'journal' | 'jsonl';
}

/**
 * Finds the records of a kind in a folder; undefined when it holds none.
 *
 * @param folder a harvest's folder, a bundle, or a journal folder itself
 */
export async function findRecords(folder: string, kind: Kind): Promise<RecordFile | undefined> {
  const candidates: RecordFile[] = [
    { kind, path: journalPath(folder, kind), form: 'journal' },
    { kind, path: journalPath(join(folder, JOURNAL_FOLDER), kind), form: 'journal' },
    { kind, path: join(folder, `${COLLECTIONS[kind]}.jsonl`), form: 'jsonl' },
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
 * @param from where to begin, in bytes: the `start` of a record
 */
export async function* placedRecords(
  { path, form }: RecordFile,
  from = 0,
): AsyncGenerator<PlacedRecord, void, void> {
  if (form === 'jsonl') {
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

/** A record whose fields are not known. */
export type LooseRecord = Readonly<Record<string, unknown>>;

/**
 * Parses the line of a record.
 *
 * @throws FolderError when it is not a JSON object with a uuid
 */
export function parseRecord({ line, path, start, skip }: PlacedRecord): LooseRecord & { uuid: string } {
  const record: unknown = parseJson(line);
  if (!isObject(record) || typeof record['uuid'] !== 'string') {
    throw new FolderError(
      `${path}: byte ${start}, record ${skip + 1}: expected a record with a uuid, as a line of JSON`,
    );
  }
  return { ...record, uuid: record['uuid'].toLowerCase() };
}

/** Whether a value is an object with fields. */
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
