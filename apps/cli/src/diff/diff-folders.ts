import { FolderError } from '@archiefkast/client/node';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import {
  findRecords,
  type LooseRecord,
  parseRecord,
  placedRecords,
  type RecordFile,
} from '../records/placed-records.ts';
import { differingFields, digest } from './comparable.ts';

/** A difference between two states of an archive. */
export interface Change {
  change: 'added' | 'changed' | 'removed';
  kind: Kind;
  uuid: string;
  title: string;
  /** The fields that changed; empty for records that were added or removed. */
  fields: string[];
}

/**
 * Finds what differs between two folders: harvests, bundles or journal folders. Of the old records only a digest
 * each is kept in memory.
 *
 * @throws FolderError when one holds no records, or not those of the same kinds
 */
export async function* diffFolders(before: string, after: string): AsyncGenerator<Change, void, void> {
  let kinds = 0;
  for (const kind of KINDS) {
    const old = await findRecords(before, kind);
    const now = await findRecords(after, kind);
    if (!old && !now) continue;
    if (!old || !now) throw new FolderError(`${old ? after : before} holds no ${kind} records`);
    kinds += 1;
    yield* diffFiles(old, now);
  }
  if (kinds === 0) throw new FolderError(`${before} holds no records`);
}

/** Where an old record lies, and what it was. */
interface OldRecord {
  digest: string;
  start: number;
  skip: number;
}

async function* diffFiles(old: RecordFile, now: RecordFile): AsyncGenerator<Change, void, void> {
  const { kind } = old;
  const before = await indexRecords(old);
  for await (const placed of placedRecords(now)) {
    const record = parseRecord(placed);
    const { uuid } = record;
    const known = before.get(uuid);
    before.delete(uuid);
    const common = { kind, uuid, title: titleOf(record) };
    if (!known) yield { change: 'added', ...common, fields: [] };
    else if (known.digest !== digest(record)) {
      const fields = differingFields(await readRecord(old, known), record);
      yield { change: 'changed', ...common, fields };
    }
  }
  for (const [uuid, place] of before) {
    yield { change: 'removed', kind, uuid, title: titleOf(await readRecord(old, place)), fields: [] };
  }
}

async function indexRecords(file: RecordFile): Promise<Map<string, OldRecord>> {
  const index = new Map<string, OldRecord>();
  for await (const placed of placedRecords(file)) {
    const record = parseRecord(placed);
    index.set(record.uuid, { digest: digest(record), start: placed.start, skip: placed.skip });
  }
  return index;
}

async function readRecord(file: RecordFile, { start, skip }: OldRecord): Promise<LooseRecord> {
  for await (const placed of placedRecords(file, start)) {
    if (placed.start === start && placed.skip === skip) return parseRecord(placed);
  }
  throw new FolderError(`${file.path}: byte ${start}: expected a record that was there before`);
}

function titleOf(record: LooseRecord): string {
  return String(record['title'] ?? record['name'] ?? '');
}
