import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import type { Order } from '../query/query.ts';

/** Version of the index file's form, kept in the file as `user_version`. Raised with every change of what it holds. */
export const INDEX_FORMAT = 8;

/**
 * The columns of a record's text, with the weight of a word in each. The largest is first, where FTS5 takes least
 * room.
 */
export const TEXT_COLUMNS = [
  { name: 'body', weight: 1 },
  { name: 'footnotes', weight: 0.25 },
  { name: 'name', weight: 10 },
  { name: 'summary', weight: 4 },
  { name: 'place', weight: 3 },
  { name: 'captions', weight: 0.5 },
] as const;

/** The columns of the table `text`, as SQL lists them. */
export const TEXT_COLUMN_NAMES = TEXT_COLUMNS.map(({ name }) => name).join(', ');

/**
 * The tables of an index file.
 *
 * - `field`: for a kind and a field, the values of all records in order of position, each ended by a line feed, in
 *   UTF-8, cut into blocks: `folded` as they are compared, `shown` as they are shown (NULL where that is the same).
 * - `kind`: the number of records of a kind.
 * - `array`: numbers of 32 or 64 bits under a name. `<relation> source` and `<relation> target` are the rows (from 0, in
 *   their kinds) of records that name each other (see `RELATIONS`), side by side; `latitude` and `longitude` are those
 *   of locations; `order <order>` is every document number, sorted; `codes <kind>.<field>` is for each record the number
 *   of its value among the `values of <field>`, which are a field as well.
 * - `card`: what lists show of a record, as JSON, by document number.
 * - `text`: the words of all records, by document number (see `DocNumbers`).
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
  CREATE TABLE card (doc INTEGER PRIMARY KEY, fields TEXT NOT NULL);
  CREATE VIRTUAL TABLE text USING fts5 (
    ${TEXT_COLUMN_NAMES}, content = '', tokenize = 'ascii'
  );`;

/** Where an order is in the index file. */
export function orderName(order: Order): string {
  return `order ${order}`;
}

/** Where the numbers of the values of a field are in the index file. */
export function codesName(kind: Kind, name: string): string {
  return `codes ${kind}.${name}`;
}

/** The column of the values of a field, each once: the number of a value is its row. */
export function valuesName(name: string): string {
  return `values of ${name}`;
}

/** An index file of another form than this program's, or none at all: it has to be built again. */
export class SearchIndexFormatError extends Error {
  override readonly name = 'SearchIndexFormatError';

  constructor(file: string, found: string) {
    super(`${file}: expected a search index of format ${INDEX_FORMAT}, got ${found}; build it again`);
  }
}

/**
 * Opens an index file for reading.
 *
 * @throws SearchIndexFormatError when the file is missing, damaged or no index of this program's format; any other
 *   error that keeps it from being opened
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

/** SQLite's codes for a file that is not what it was written as: IOERR, CORRUPT, NOTADB. */
const DAMAGE = [10, 11, 26];

/** Whether an error of SQLite says that the file is damaged, rather than that it cannot be opened now. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The low byte of an extended code is the code that it extends.
  return typeof error.errcode === 'number' && DAMAGE.includes(error.errcode & 0xff);
}

/** Where the records of a kind are among all. */
interface DocSpan {
  kind: Kind;
  /** The document number of the first record. */
  start: number;
  records: number;
}

/**
 * Every record as one number, from 0: kind after kind in the order of search, in each by position. Records of equal
 * score are given in this order.
 */
export class DocNumbers {
  readonly spans: readonly DocSpan[];
  /** Records of all kinds. */
  readonly total: number;

  /** @param counts the number of records of each kind */
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

  /** The document number of a record, by its place among those of its kind, from 0. */
  docOf(kind: Kind, row: number): number {
    return this.spanOf(kind).start + row;
  }

  /** The record that a document number stands for. */
  recordOf(doc: number): { kind: Kind; position: number } {
    const span = this.spans.find(({ start, records }) => doc >= start && doc < start + records);
    if (!span) throw new RangeError(`document number ${doc}: expected one below ${this.total}`);
    return { kind: span.kind, position: doc - span.start + 1 };
  }
}

/** The document numbers of the records of an index. */
export function readDocNumbers(database: DatabaseSync): DocNumbers {
  const kinds = database.prepare('SELECT name, records FROM kind').all();
  return new DocNumbers(new Map(kinds.map((row) => [String(row['name']), Number(row['records'])])));
}
