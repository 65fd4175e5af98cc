import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { replaceWhole } from '@archiefkast/system';
import { createPause, type Pause } from '../../pause.ts';
import {
  fillIndex,
  INDEX_TABLES,
  IndexUpdateError,
  openIndexFile,
  RECORD_INDEXES,
  SearchIndexFormatError,
} from '../file/index-file.ts';
import type { IndexedRecord } from './record-values.ts';
import { RecordWriter } from './record-writer.ts';

/** Deletions that are committed at a time: FTS5 does its work then, without a pause. */
const COMMITTED_DELETIONS = 20;

/**
 * Writes the search index of an edition. The file is replaced atomically when it is complete; on failure nothing is
 * left behind.
 *
 * @param file path of the index; a temporary file is written beside it
 * @param records all published records, fastest in the order of `KINDS`, then of id
 * @param signal stops the build
 * @throws the signal's reason; any error of `records`
 */
export async function buildSearchIndex(
  file: string,
  records: AsyncIterable<IndexedRecord>,
  signal?: AbortSignal,
): Promise<void> {
  const pause = createPause(signal);
  await replaceWhole(file, (temporary) =>
    fillIndex(temporary, async (database) => {
      database.exec(INDEX_TABLES);
      const writer = new RecordWriter(database);
      let slot = 0;
      for await (const record of records) {
        slot += 1;
        writer.insert(slot, record);
        await pause();
      }
      for (const index of RECORD_INDEXES) {
        database.exec(index);
        await pause();
      }
      await writer.finish(pause);
    }),
  );
}

/** What differs between the records of two editions. */
export interface IndexChanges {
  /** The records that were changed or removed, as they were. */
  earlier: AsyncIterable<IndexedRecord>;
  /** The records that were changed or added. */
  records: AsyncIterable<IndexedRecord>;
}

/**
 * Writes the search index of an edition as a copy of the index of an earlier one with what changed. It gives the same
 * answers as a built one, and has nothing of the removed and earlier values, not even in free pages. The file is replaced
 * atomically when it is complete; on failure nothing is left behind.
 *
 * @param file path of the index; a temporary file is written beside it
 * @param base the index of the earlier edition, which is not changed
 * @param signal stops the work
 * @throws IndexUpdateError if the index has to be built; the signal's reason; any error of `changes`
 */
export async function updateSearchIndex(
  file: string,
  base: string,
  changes: IndexChanges,
  signal?: AbortSignal,
): Promise<void> {
  try {
    openIndexFile(base).close();
    await replaceWhole(file, async (temporary) => {
      await copyFile(base, temporary);
      await fillIndex(temporary, (database) => update(database, changes, createPause(signal)));
    });
  } catch (error) {
    throw isOfBase(error, base)
      ? new IndexUpdateError('the earlier index is unusable', { cause: error })
      : error;
  }
}

/** Whether the base is missing, damaged, of another format, or not of the earlier records. */
function isOfBase(error: unknown, base: string): boolean {
  const isOfDatabase = error instanceof Error && 'errcode' in error;
  return isOfDatabase || error instanceof SearchIndexFormatError || !existsSync(base);
}

async function update(
  database: DatabaseSync,
  { earlier, records }: IndexChanges,
  pause: Pause,
): Promise<void> {
  const writer = new RecordWriter(database);
  // Before deletions: a changed record gets its slot again.
  let free = Number(database.prepare('SELECT max(slot) AS slot FROM record').get()?.['slot'] ?? 0) + 1;
  const deleted = new Map<unknown, number>();
  for await (const record of earlier) {
    deleted.set(keyOf(record), writer.delete(record));
    if (deleted.size % COMMITTED_DELETIONS === 0) database.exec('COMMIT; BEGIN');
    await pause();
  }
  for await (const record of records) {
    const key = keyOf(record);
    writer.insert(deleted.get(key) ?? free++, record);
    deleted.delete(key);
    await pause();
  }
  for (const slot of deleted.values()) writer.deleteReferencesTo(slot);
  await writer.finish(pause);
}

function keyOf({ kind, record }: IndexedRecord): string {
  return `${kind} ${record['uuid']}`;
}
