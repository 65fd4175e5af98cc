import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { FolderError } from '@archiefkast/client/node';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { readSupplements } from '../formats/source.ts';
import {
  findRecords,
  isObject,
  type LooseRecord,
  parseRecord,
  type RecordFile,
  type RecordLine,
  recordLines,
} from '../records/record-lines.ts';

/** A record that was added, changed or removed. */
export interface Change {
  change: 'added' | 'changed' | 'removed';
  kind: Kind;
  uuid: string;
  title: string;
  /** The changed fields; empty for added and removed records. */
  fields: string[];
}

/**
 * Compares two folders: harvests, bundles or journal folders. Only a digest of each old record is kept in memory.
 *
 * @throws FolderError if a folder contains no records, or not the same kinds
 */
export async function* diffFolders(before: string, after: string): AsyncGenerator<Change, void, void> {
  let kinds = 0;
  for (const kind of KINDS) {
    const old = await findRecords(before, kind);
    const now = await findRecords(after, kind);
    if (!old && !now) continue;
    if (!old || !now) throw new FolderError(`${old ? after : before} contains no ${kind} records`);
    kinds += 1;
    yield* diffFiles(old, now);
  }
  if (kinds === 0) throw new FolderError(`${before} contains no records`);
}

/** Position and digest of an old record. */
interface OldRecord {
  digest: string;
  start: number;
  skip: number;
}

async function* diffFiles(old: RecordFile, now: RecordFile): AsyncGenerator<Change, void, void> {
  const { kind } = old;
  const parseOld = await createParser(old);
  const parseNew = await createParser(now);
  const before = await indexRecords(old, parseOld);
  for await (const line of recordLines(now)) {
    const record = parseNew(line);
    const { uuid } = record;
    const known = before.get(uuid);
    before.delete(uuid);
    const common = { kind, uuid, title: titleOf(record) };
    if (!known) yield { change: 'added', ...common, fields: [] };
    else if (known.digest !== digest(record)) {
      const fields = differingFields(await readRecord(old, known, parseOld), record);
      yield { change: 'changed', ...common, fields };
    }
  }
  for (const [uuid, oldRecord] of before) {
    yield {
      change: 'removed',
      kind,
      uuid,
      title: titleOf(await readRecord(old, oldRecord, parseOld)),
      fields: [],
    };
  }
}

/** Parses the line of a record. */
type Parser = (line: RecordLine) => ReturnType<typeof parseRecord>;

/** Creates the parser of a file, which adds what the supplement beside it says: dates as they are known, and subjects. */
async function createParser({ path }: RecordFile): Promise<Parser> {
  const supplements = await readSupplements(dirname(path));
  return (line) => {
    const record = parseRecord(line);
    const { dates, subjects } = supplements.get(record.uuid) ?? {};
    return { ...record, ...dates, ...(subjects && { subjects }) };
  };
}

async function indexRecords(file: RecordFile, parse: Parser): Promise<Map<string, OldRecord>> {
  const index = new Map<string, OldRecord>();
  for await (const line of recordLines(file)) {
    const record = parse(line);
    index.set(record.uuid, { digest: digest(record), start: line.start, skip: line.skip });
  }
  return index;
}

async function readRecord(file: RecordFile, { start, skip }: OldRecord, parse: Parser): Promise<LooseRecord> {
  for await (const line of recordLines(file, start)) {
    if (line.start === start && line.skip === skip) return parse(line);
  }
  throw new FolderError(`${file.path}: byte ${start}: expected the record that was indexed before`);
}

function titleOf(record: LooseRecord): string {
  return String(record['title'] ?? record['name'] ?? '');
}

/** The base URL in a record's own `url`. */
const BASE_URL = /^(https?:\/\/.+)\/(?:en|nl)\/(?:personen|onderwerpen|locaties|gebeurtenissen)\//;

/**
 * A record as it is compared: embedded records are replaced by their uuids, so that a change of one is reported once, and
 * links are relative to the base URL, so that an archive equals its copy at another address.
 */
function comparable(record: LooseRecord): LooseRecord {
  const baseUrl = BASE_URL.exec(String(record['url']))?.[1];
  const reduced = Object.fromEntries(Object.entries(record).map(([field, value]) => [field, reduce(value)]));
  if (!baseUrl) return reduced;
  const relative: unknown = JSON.parse(JSON.stringify(reduced).replaceAll(`${baseUrl}/`, '/'));
  return isObject(relative) ? relative : reduced;
}

function reduce(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduce);
  if (!isObject(value) || !('uuid' in value)) return value;
  return 'filetype' in value ? { ...value, path: reducePath(value['path']) } : value['uuid'];
}

/** The path of a hosted file, without its base URL: a copy of an archive refers to the files of the original. */
function reducePath(path: unknown): unknown {
  return typeof path === 'string' ? path.replace(/^https?:\/\/.+?(?=\/media\/)/, '') : path;
}

/** SHA-256 of a record as it is compared. */
export function digest(record: LooseRecord): string {
  return createHash('sha256')
    .update(JSON.stringify(comparable(record)))
    .digest('base64');
}

/** The fields in which two records differ. */
function differingFields(before: LooseRecord, after: LooseRecord): string[] {
  const old = comparable(before);
  const now = comparable(after);
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...fields].filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]));
}
