import { Columns } from '../file/columns.ts';
import { openIndexFile } from '../file/index-file.ts';
import { Records, RecordTables, readSlots } from '../file/records.ts';
import { createNearWords } from './near-words.ts';

/** What the records of an index are read from. */
export type OpenIndex = ReturnType<typeof readIndex>;

/**
 * Opens an index file, and reads which records it has.
 *
 * @param cacheBytes size of the cache of columns
 * @throws SearchIndexFormatError if the file is not an index of the current format
 */
export function readIndex(file: string, cacheBytes: number) {
  const database = openIndexFile(file);
  const records = new Records(readSlots(database));
  const columns = new Columns(database, cacheBytes);
  const tables = new RecordTables(database, records);
  return { database, records, tables, columns, words: createNearWords(database, columns) };
}
