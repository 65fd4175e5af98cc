import type { DatabaseSync } from 'node:sqlite';
import { freeArray } from '../../number-list.ts';
import type { Pause } from '../../pause.ts';
import { PlaceList } from '../file/place-list.ts';
import { PostingEncoder } from '../file/posting-encoder.ts';
import { bytesOf, numbersOf, type PlacedPosting } from '../file/postings.ts';
import { CHUNK_RECORDS, listStored, RecordSet } from '../file/record-set.ts';

/** Number of words in memory at a time, each with the records that have it. */
const READ = 100;

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
  const removed = new Map<number, RecordSet>();
  for (const [place, { number, first }] of chunks.entries()) {
    const end = Number(chunks[place + 1]?.['first'] ?? Number.POSITIVE_INFINITY);
    const inChunk = new RecordSet();
    for (const rowid of rowids) if (rowid >= Number(first) && rowid < end) inChunk.add(rowid - Number(first));
    if (inChunk.size > 0) removed.set(Number(number), inChunk);
  }
  for (const [chunk, inChunk] of removed) await removeFrom(database, chunk, inChunk, pause);
  await removeFromStarts(database, removed, pause);
}

/** Removes records from a chunk. */
async function removeFrom(
  database: DatabaseSync,
  chunk: number,
  removed: RecordSet,
  pause: Pause,
): Promise<void> {
  const read = database.prepare(
    'SELECT word, records FROM posting WHERE chunk = ? AND word > ? ORDER BY word LIMIT ?',
  );
  const readPlaces = database.prepare('SELECT counts, places FROM posting WHERE chunk = ? AND word = ?');
  const remove = database.prepare('DELETE FROM posting WHERE chunk = ? AND word = ?');
  const removeCommon = database.prepare('DELETE FROM common WHERE chunk = ? AND word = ?');
  const replace = database.prepare(
    'UPDATE posting SET count = ?, records = ?, named = ?, counts = ?, places = ? WHERE chunk = ? AND word = ?',
  );
  const [list, encoder] = [new PlaceList(), new PostingEncoder()];
  let rows = read.all(chunk, '', READ);
  while (rows.length > 0) {
    for (const { word = '', records } of rows) {
      if (!hasAny(records, removed)) continue;
      const { counts, places } = readPlaces.get(chunk, word) ?? {};
      const posting = { records: bytesOf(records), counts: bytesOf(counts), places: bytesOf(places) };
      encodeOthers(posting, removed, list, encoder);
      const left = encoder.posting;
      if (left.count > 0) {
        replace.run(left.count, left.records, left.named, left.counts, left.places, chunk, word);
      } else {
        remove.run(chunk, word);
        removeCommon.run(chunk, word);
      }
    }
    await pause();
    rows = read.all(chunk, rows.at(-1)?.['word'] ?? '', READ);
  }
}

/** Removes records from the starts of words. @param removed by number of the chunk */
async function removeFromStarts(
  database: DatabaseSync,
  removed: ReadonlyMap<number, RecordSet>,
  pause: Pause,
): Promise<void> {
  const read = database.prepare(
    'SELECT letters, chunk, records FROM start WHERE (letters, chunk) > (?, ?) ORDER BY letters, chunk LIMIT ?',
  );
  const readNames = database.prepare('SELECT named, scores FROM start WHERE letters = ? AND chunk = ?');
  const remove = database.prepare('DELETE FROM start WHERE letters = ? AND chunk = ?');
  const replace = database.prepare(
    'UPDATE start SET records = ?, named = ?, scores = ? WHERE letters = ? AND chunk = ?',
  );
  let rows = read.all('', 0, READ);
  while (rows.length > 0) {
    for (const { letters = '', chunk = 0, records } of rows) {
      const inChunk = removed.get(Number(chunk));
      if (!inChunk || !hasAny(records, inChunk)) continue;
      const left = new RecordSet().addAll(bytesOf(records));
      left.removeAll(inChunk);
      if (left.size === 0) {
        remove.run(letters, chunk);
        continue;
      }
      const { named, scores } = readNames.get(letters, chunk) ?? {};
      listStored(bytesOf(named), LISTED);
      const leftScores = numbersOf(bytesOf(scores)).filter((_, at) => !inChunk.has(LISTED[at] ?? 0));
      const leftNamed = new RecordSet().addAll(bytesOf(named));
      leftNamed.removeAll(inChunk);
      replace.run(left.stored, leftNamed.stored, new Uint8Array(leftScores.buffer), letters, chunk);
    }
    await pause();
    rows = read.all(rows.at(-1)?.['letters'] ?? '', rows.at(-1)?.['chunk'] ?? 0, READ);
  }
}

/** The records of a stored set that was read last. */
const LISTED = new Uint16Array(CHUNK_RECORDS);

/** Whether a stored set has any of the removed records; frees its memory if not. */
function hasAny(stored: unknown, removed: RecordSet): boolean {
  const bytes = bytesOf(stored);
  const length = listStored(bytes, LISTED);
  for (let at = 0; at < length; at++) if (removed.has(LISTED[at] ?? 0)) return true;
  freeArray(bytes);
  return false;
}

/** Encodes a posting without the removed records. */
function encodeOthers(
  posting: PlacedPosting,
  removed: RecordSet,
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
