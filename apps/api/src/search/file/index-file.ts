import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import type { Order } from '../query/query.ts';

/** Format version of the index file, stored as `user_version`. Increase it with every change of the content. */
export const INDEX_FORMAT = 14;

/**
 * The columns of a record's text, with the weight of a word in each: a multiple of a quarter. The largest is first, where postings need
 * the least space.
 */
export const TEXT_COLUMNS = [
  { name: 'body', weight: 1 },
  { name: 'footnotes', weight: 0.25 },
  { name: 'name', weight: 10 },
  { name: 'summary', weight: 4 },
  { name: 'place', weight: 3 },
  { name: 'captions', weight: 0.5 },
] as const;

/**
 * The tables of an index file.
 *
 * - `field`: for a kind and a field, the values of all records in order of position, each terminated by a line feed, in
 *   UTF-8, split into blocks: `folded` for comparison, `shown` for display (NULL if equal).
 * - `kind`: the number of records of a kind.
 * - `array`: named arrays of 32-bit or 64-bit numbers. `<relation> source` and `<relation> target` are parallel arrays
 *   with the rows (from 0, within their kinds) of referring and referenced records (see `RELATIONS`); `latitude` and
 *   `longitude` are those of locations; `order <order>` is every document number, sorted; `codes <kind>.<field>` is for
 *   each record the index of its value in `values of <field>`, which is stored as a field.
 * - `card`: the fields of a record that lists show, as JSON, by rowid.
 * - `chunk`: the rowid of the first of its records; the others are those below that of the next chunk.
 * - `posting`: for each word of the records of a chunk, the number of records that have it, which these are (`records`), which have
 *   it in their name (`named`; see `RecordSet`), how often (`counts`; see `PostingCursor`) and where (`places`; see `PlaceList`).
 * - `common`: the words of a chunk that occur so often that each pair of them, one after the other, has a posting too, named by
 *   `pairOf`: it is read instead of the places of both.
 * - `start`: for a chunk and the start of many of its words, the records that have one of them, those that have one in their name
 *   (as in `posting`), and the scores of these names (numbers of 16 bits), so that neither every word is read nor every name.
 *
 * A rowid is a number of a record that stays the same when others are added or removed, so that an index can be patched;
 * the array `rowids` has it by document number (see `DocNumbers`), as `lengths` has its number of words. The array `patches` is the number of patches since the
 * index was built.
 */
export const INDEX_TABLES = `
  CREATE TABLE field (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    block INTEGER NOT NULL,
    folded BLOB NOT NULL,
    shown BLOB,
    PRIMARY KEY (kind, name, block)
  ) WITHOUT ROWID;
  CREATE TABLE array (name TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE kind (name TEXT NOT NULL PRIMARY KEY, records INTEGER NOT NULL);
  CREATE TABLE card (rowid INTEGER PRIMARY KEY, fields TEXT NOT NULL);
  CREATE TABLE chunk (number INTEGER PRIMARY KEY, first INTEGER NOT NULL);
  CREATE TABLE posting (
    chunk INTEGER NOT NULL,
    word TEXT NOT NULL,
    count INTEGER NOT NULL,
    records BLOB NOT NULL,
    named BLOB,
    counts BLOB NOT NULL,
    places BLOB NOT NULL,
    PRIMARY KEY (chunk, word)
  ) WITHOUT ROWID;
  CREATE TABLE common (chunk INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (chunk, word)) WITHOUT ROWID;
  CREATE TABLE start (
    chunk INTEGER NOT NULL,
    letters TEXT NOT NULL,
    records BLOB NOT NULL,
    named BLOB,
    scores BLOB NOT NULL,
    PRIMARY KEY (letters, chunk)
  ) WITHOUT ROWID;`;

/** Name of the array of rowids by document number. */
export const ROWIDS = 'rowids';

/** Name of the array with the number of words of each document. */
export const LENGTHS = 'lengths';

/** Name of the array with the number of patches. */
export const PATCHES = 'patches';

/** Name of the array of an order. */
export function orderName(order: Order): string {
  return `order ${order}`;
}

/** Name of the array of value indexes of a field. */
export function codesName(kind: Kind, name: string): string {
  return `codes ${kind}.${name}`;
}

/** Name of the column with the distinct values of a field. */
export function valuesName(name: string): string {
  return `values of ${name}`;
}

/** The index file is missing, damaged or of another format; it has to be rebuilt. */
export class SearchIndexFormatError extends Error {
  override readonly name = 'SearchIndexFormatError';

  constructor(file: string, found: string) {
    super(`${file}: expected a search index of format ${INDEX_FORMAT}, got ${found}; build it again`);
  }
}

/**
 * Opens an index file for reading.
 *
 * @throws SearchIndexFormatError if the file is missing, damaged or of another format; any other error on opening
 */
export function openIndexFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const format = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (format !== INDEX_FORMAT) throw new SearchIndexFormatError(file, `format ${format}`);
    return database;
  } catch (error) {
    database?.close();
    if (!isDamage(error) && existsSync(file)) throw error;
    throw new SearchIndexFormatError(file, error instanceof Error ? error.message : String(error));
  }
}

/** SQLite codes for a damaged file: IOERR, CORRUPT, NOTADB. */
const DAMAGE = [10, 11, 26];

/** Whether an SQLite error means that the file is damaged, rather than temporarily unavailable. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The low byte of an extended code is the primary code.
  return typeof error.errcode === 'number' && DAMAGE.includes(error.errcode & 0xff);
}

/** The range of document numbers of a kind. */
interface DocSpan {
  kind: Kind;
  /** The document number of the first record. */
  start: number;
  records: number;
}

/**
 * Maps records to document numbers, from 0: by kind in the order of `KINDS`, then by position. Hits of equal score are
 * in this order.
 */
export class DocNumbers {
  readonly spans: readonly DocSpan[];
  /** Number of records of all kinds. */
  readonly total: number;

  /** @param counts number of records of each kind */
  constructor(counts: ReadonlyMap<string, number>) {
    let start = 0;
    this.spans = KINDS.map((kind) => {
      const records = counts.get(kind) ?? 0;
      start += records;
      return { kind, start: start - records, records };
    });
    this.total = start;
  }

  /** Where the records of a kind are. */
  spanOf(kind: Kind): DocSpan {
    return this.spans[KINDS.indexOf(kind)] ?? { kind, start: 0, records: 0 };
  }

  /** The document number of the record at a row (from 0) of its kind. */
  docOf(kind: Kind, row: number): number {
    return this.spanOf(kind).start + row;
  }

  /** The record with a document number. */
  recordOf(doc: number): { kind: Kind; position: number } {
    const span = this.spans.find(({ start, records }) => doc >= start && doc < start + records);
    if (!span) throw new RangeError(`document number ${doc}: expected one below ${this.total}`);
    return { kind: span.kind, position: doc - span.start + 1 };
  }
}

/** Reads the document numbers of an index. */
export function readDocNumbers(database: DatabaseSync): DocNumbers {
  const kinds = database.prepare('SELECT name, records FROM kind').all();
  return new DocNumbers(new Map(kinds.map((row) => [String(row['name']), Number(row['records'])])));
}
