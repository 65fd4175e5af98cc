import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { replaceWhole } from '@archiefkast/system';
import { INDEX_FORMAT, INDEX_TABLES } from '../file/index-file.ts';
import { type IndexedRecord, IndexWriter } from './index-writer.ts';

/** Bytes of words that are gathered before they are written, and bytes of pages kept: more is faster. */
const WORD_BYTES = 8 * 2 ** 20;
const PAGE_BYTES = 8 * 2 ** 20;

/** Pages of words merged at a time. */
const MERGED_PAGES = 500;

/** Milliseconds of work after which other work of the process gets its turn. */
const SLICE = 20;

/**
 * Writes the search index of an edition. The file appears when it is complete, in one step, in place of any earlier
 * one; on failure nothing is left behind.
 *
 * @param file where the index goes; beside it, a temporary file is written
 * @param records all published records; in the order of `KINDS`, those of a kind in order of position
 * @param signal stops the building
 * @throws RangeError when the records are not in that order; the signal's reason; any error of `records`
 */
export async function buildSearchIndex(
  file: string,
  records: AsyncIterable<IndexedRecord>,
  signal?: AbortSignal,
): Promise<void> {
  await replaceWhole(file, (temporary) => writeIndex(temporary, records, signal));
}

async function writeIndex(
  file: string,
  records: AsyncIterable<IndexedRecord>,
  signal: AbortSignal | undefined,
): Promise<void> {
  using database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -${PAGE_BYTES / 1024};
    ${INDEX_TABLES}
    INSERT INTO text (text, rank) VALUES ('hashsize', ${WORD_BYTES});
    BEGIN`);
  const writer = new IndexWriter(database);
  let turnEnds = performance.now() + SLICE;
  const pause = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    turnEnds = performance.now() + SLICE;
  };
  for await (const record of records) {
    writer.add(record);
    if (performance.now() >= turnEnds) await pause();
  }
  signal?.throwIfAborted();
  await writer.finish(pause);
  database.exec('COMMIT');
  await mergeText(database, signal);
  database.exec(`PRAGMA user_version = ${INDEX_FORMAT}`);
}

/**
 * Makes one of the parts in which the words were written, which is faster to search; bit by bit, so that other work
 * gets its turn. (FTS5: the first `merge` below zero takes all parts; less than 2 changes mean there is no more.)
 */
async function mergeText(database: DatabaseSync, signal: AbortSignal | undefined): Promise<void> {
  const merge = database.prepare("INSERT INTO text (text, rank) VALUES ('merge', ?)");
  const changes = database.prepare('SELECT total_changes() AS made');
  let before = Number(changes.get()?.['made']);
  for (let pages = -MERGED_PAGES; ; pages = MERGED_PAGES) {
    merge.run(pages);
    const made = Number(changes.get()?.['made']);
    if (made - before < 2) return;
    before = made;
    await nextTurn();
    signal?.throwIfAborted();
  }
}
