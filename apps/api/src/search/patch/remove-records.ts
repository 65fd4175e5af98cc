import type { DatabaseSync } from 'node:sqlite';
import type { Pause } from '../build/pause.ts';
import { type PlacedPosting, PlaceList, PostingCursor, PostingEncoder } from '../file/postings.ts';

/** Number of words read between two pauses. */
const READ = 1_000;

/**
 * Removes the cards and the words of records from an index.
 *
 * @param rowids ascending
 */
export async function removeRecords(
  database: DatabaseSync,
  rowids: Uint32Array,
  pause: Pause,
): Promise<void> {
  const deleteCard = database.prepare('DELETE FROM card WHERE rowid = ?');
  for (const rowid of rowids) deleteCard.run(rowid);
  const chunks = database.prepare('SELECT number, first FROM chunk ORDER BY number').all();
  for (const [place, { number, first }] of chunks.entries()) {
    const end = Number(chunks[place + 1]?.['first'] ?? Number.POSITIVE_INFINITY);
    const removed = new Set<number>();
    for (const rowid of rowids) if (rowid >= Number(first) && rowid < end) removed.add(rowid - Number(first));
    if (removed.size > 0) await removeFrom(database, Number(number), removed, pause);
  }
}

/** Removes records from a chunk. */
async function removeFrom(
  database: DatabaseSync,
  chunk: number,
  removed: ReadonlySet<number>,
  pause: Pause,
): Promise<void> {
  const read = database.prepare(
    'SELECT word, count, records, places FROM posting WHERE chunk = ? AND word > ? ORDER BY word LIMIT ?',
  );
  const remove = database.prepare('DELETE FROM posting WHERE chunk = ? AND word = ?');
  const replace = database.prepare(
    'UPDATE posting SET count = ?, records = ?, places = ? WHERE chunk = ? AND word = ?',
  );
  const [list, encoder] = [new PlaceList(), new PostingEncoder()];
  let rows = read.all(chunk, '', READ);
  while (rows.length > 0) {
    for (const { word, count, records, places } of rows) {
      if (!(records instanceof Uint8Array && places instanceof Uint8Array)) continue;
      if (!hasAny(records, removed)) continue;
      encodeOthers({ first: 0, count: Number(count), records, places }, removed, list, encoder);
      if (encoder.count === 0) remove.run(chunk, word ?? '');
      else {
        const left = encoder.posting;
        replace.run(left.count, left.records, left.places, chunk, word ?? '');
      }
    }
    await pause();
    rows = read.all(chunk, rows.at(-1)?.['word'] ?? '', READ);
  }
}

function hasAny(records: Uint8Array, removed: ReadonlySet<number>): boolean {
  const cursor = new PostingCursor(records);
  while (cursor.next()) if (removed.has(cursor.record)) return true;
  return false;
}

/** Encodes a posting without the removed records. */
function encodeOthers(
  posting: PlacedPosting,
  removed: ReadonlySet<number>,
  list: PlaceList,
  encoder: PostingEncoder,
): void {
  encoder.clear();
  const { length, records, ends, places, columns } = list.read(posting);
  for (let [index, start] = [0, 0]; index < length; index++) {
    const [record = 0, end = 0] = [records[index], ends[index]];
    if (!removed.has(record)) encoder.write(record, places, columns, start, end);
    start = end;
  }
}
