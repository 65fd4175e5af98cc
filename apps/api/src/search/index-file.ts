import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { TEXT_COLUMNS } from './record-fields.ts';
import { isDamage } from './thread/index-damage.ts';

/** Version of the index file's form, kept in the file as `user_version`. Raised with every change of what it holds. */
export const INDEX_FORMAT = 8;

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
