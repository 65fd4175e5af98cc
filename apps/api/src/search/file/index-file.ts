import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { searchableColumns } from '../fields/search-fields.ts';

/** Format version of the index file, stored as `user_version`. Increase it with every change of the content. */
export const INDEX_FORMAT = 16;

/** The columns of a record's text, with the weight of a word in each. */
export const TEXT_COLUMNS = [
  { name: 'body', weight: 1 },
  { name: 'footnotes', weight: 0.25 },
  { name: 'name', weight: 10 },
  { name: 'summary', weight: 4 },
  { name: 'place', weight: 3 },
  { name: 'captions', weight: 0.5 },
] as const;

/** The fields that every record has, which are columns of `record`. */
const RECORD_COLUMNS: readonly string[] = ['id', 'uuid'];

/** The fields in the table `value`; the number of a field is its index. */
export const VALUE_FIELDS: readonly { kind: Kind; name: string }[] = KINDS.flatMap((kind) =>
  searchableColumns(kind)
    .filter((name) => !isRecordColumn(name))
    .map((name) => ({ kind, name })),
);

/** Whether a field is a column of `record`. */
export function isRecordColumn(name: string): boolean {
  return RECORD_COLUMNS.includes(name);
}

/** The number of a field in the table `value`. */
export function fieldNumber(kind: Kind, name: string): number {
  return VALUE_FIELDS.findIndex((field) => field.kind === kind && field.name === name);
}

/** The `day` of a record without a date: later than any. */
export const UNDATED = 9999_99_99;

/** Memory for the words of an FTS5 segment, in bytes: with more, fewer segments are merged during a build. */
const SEGMENT_BYTES = 8 * 2 ** 20;

/**
 * The tables of an index file.
 *
 * - `record`: the records, by slot: a number that stays the same when other records are added or removed. `kind` is an index of `KINDS`;
 *   `name_nl`, `name_en` and `day` are sort keys; `card` is the fields that lists show, as JSON; `hash` is that of its text.
 * - `value`: the values of fields that are not empty, folded; and as shown, if that differs.
 * - `reference`: which record refers to which, by index of `RELATIONS`; `place` is the order in the field of the source.
 * - `below`: how many records of each kind have a subject or one below it.
 * - `text`: the words of each record, by slot. The texts themselves are not stored, so that a deletion needs the earlier text.
 *
 * What is deleted is overwritten: see `fillIndex`.
 */
export const INDEX_TABLES = `
  CREATE TABLE record (
    slot INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    id INTEGER,
    uuid TEXT NOT NULL,
    name_nl TEXT NOT NULL,
    name_en TEXT NOT NULL,
    day INTEGER NOT NULL,
    latitude REAL,
    longitude REAL,
    card TEXT NOT NULL,
    hash TEXT NOT NULL
  );
  CREATE TABLE value (
    field INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    folded TEXT NOT NULL,
    shown TEXT,
    PRIMARY KEY (field, slot)
  ) WITHOUT ROWID;
  CREATE TABLE reference (
    relation INTEGER NOT NULL,
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (relation, source, target)
  ) WITHOUT ROWID;
  CREATE INDEX reference_target ON reference (relation, target, source);
  CREATE TABLE below (
    subject INTEGER PRIMARY KEY,
    persons INTEGER NOT NULL,
    locations INTEGER NOT NULL,
    events INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE text USING fts5 (
    ${TEXT_COLUMNS.map(({ name }) => name).join(', ')}, content = '', tokenize = 'ascii'
  );
  INSERT INTO text (text, rank) VALUES ('secure-delete', 1), ('hashsize', ${SEGMENT_BYTES});`;

/** The indexes of `record`: made when it is filled, they take a sixth of the time. */
export const RECORD_INDEXES = [
  'CREATE UNIQUE INDEX record_id ON record (kind, id)',
  'CREATE INDEX record_uuid ON record (kind, uuid)',
  'CREATE INDEX record_name_nl ON record (name_nl, kind, id)',
  'CREATE INDEX record_name_en ON record (name_en, kind, id)',
  'CREATE INDEX record_day ON record (day, kind, id)',
];

/** Page cache of a connection that writes, in bytes: more is faster. */
const PAGE_BYTES = 8 * 2 ** 20;

/**
 * Writes an index file that is new or a copy, without a journal: if this fails, the file is useless. It is marked as an index
 * when it is complete, and what was deleted in it is overwritten.
 */
export async function fillIndex(
  file: string,
  write: (database: DatabaseSync) => Promise<void>,
): Promise<void> {
  // A defensive connection keeps a journal.
  using database = new DatabaseSync(file, { defensive: false });
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${PAGE_BYTES / 1024};
    BEGIN`);
  await write(database);
  database.exec(`COMMIT; PRAGMA user_version = ${INDEX_FORMAT}`);
}

/** The index file is missing, damaged or of another format; it has to be rebuilt. */
export class SearchIndexFormatError extends Error {
  override readonly name = 'SearchIndexFormatError';

  constructor(file: string, found: string) {
    super(`${file}: expected a search index of format ${INDEX_FORMAT}, got ${found}; build it again`);
  }
}

/** An index cannot be made from that of an earlier edition; it has to be built. */
export class IndexUpdateError extends Error {
  override readonly name = 'IndexUpdateError';
}

/**
 * Opens an index file for reading. Nothing changes it, so that SQLite does not lock it.
 *
 * @throws SearchIndexFormatError if the file is missing, damaged or of another format; others on opening
 */
export function openIndexFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(new URL('?immutable=1', pathToFileURL(file)), { readOnly: true });
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

/** Whether an error of SQLite means that the file is damaged. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The low byte is the primary code.
  return typeof error.errcode === 'number' && DAMAGE.includes(error.errcode & 0xff);
}
