import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { replaceWhole } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { hasCodes } from '../fields/facets.ts';
import { RELATIONS } from '../fields/relations.ts';
import { plainText, type RecordFields, searchableColumns } from '../fields/search-fields.ts';
import { ArrayWriter } from '../file/arrays.ts';
import {
  INDEX_FORMAT,
  INDEX_TABLES,
  TEXT_COLUMN_NAMES,
  TEXT_COLUMNS,
  valuesName,
} from '../file/index-file.ts';
import { CodeWriter, FieldWriter } from './field-writer.ts';
import { OrderWriter } from './order-writer.ts';
import { cardOf, columnValue, recordText } from './record-values.ts';
import { RelationWriter } from './relation-writer.ts';

/** Buffer for words, and page cache, in bytes: more is faster. */
const WORD_BYTES = 8 * 2 ** 20;
const PAGE_BYTES = 8 * 2 ** 20;

/** FTS5 pages merged per step. */
const MERGED_PAGES = 500;

/** Milliseconds of work between two yields to the event loop. */
const SLICE = 20;

/**
 * Writes the search index of an edition. The file is replaced atomically when it is complete; on failure nothing is
 * left behind.
 *
 * @param file path of the index; a temporary file is written beside it
 * @param records all published records, in the order of `KINDS`, then of position
 * @param signal stops the build
 * @throws RangeError if the records are not in that order; the signal's reason; any error of `records`
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
 * Merges the FTS5 segments into one, which is faster to search, in steps that yield to the event loop. (A negative first
 * `merge` includes all segments; fewer than 2 changes mean that it is complete.)
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

/** A published record to index. */
export interface IndexedRecord {
  kind: Kind;
  /** Dense rank among the records of its kind, by id ascending: 1, 2, 3 … */
  position: number;
  /** The record as in the API or a bundle: references may be uuids, and embedded records are ignored. */
  record: RecordFields;
}

/** A field of the current kind. */
interface IndexedField {
  name: string;
  values: FieldWriter;
  /** Present for facets. */
  codes: CodeWriter | undefined;
}

/** Writes records into the tables of an index, kind by kind. */
class IndexWriter {
  readonly #insertText: StatementSync;
  readonly #insertCard: StatementSync;
  readonly #insertKind: StatementSync;
  readonly #insertBlock: StatementSync;
  readonly #arrays: ArrayWriter;
  readonly #relations = new RelationWriter();
  readonly #orders: OrderWriter;
  readonly #latitudes: number[] = [];
  readonly #longitudes: number[] = [];
  readonly #counts = new Map<Kind, number>();
  #kind: Kind = KINDS[0];
  #fields: IndexedField[];
  #docs = 0;

  constructor(database: DatabaseSync) {
    this.#insertText = database.prepare(
      `INSERT INTO text (rowid, ${TEXT_COLUMN_NAMES}) VALUES (?${', ?'.repeat(TEXT_COLUMNS.length)})`,
    );
    this.#insertCard = database.prepare('INSERT INTO card (doc, fields) VALUES (?, ?)');
    this.#insertKind = database.prepare('INSERT INTO kind (name, records) VALUES (?, ?)');
    this.#insertBlock = database.prepare(
      'INSERT INTO field (kind, name, block, folded, shown) VALUES (?, ?, ?, ?, ?)',
    );
    this.#arrays = new ArrayWriter(database);
    this.#orders = new OrderWriter(database);
    this.#fields = this.#fieldsOf(this.#kind);
  }

  /** Adds a record. @throws RangeError if it is not the next one in order */
  add({ kind, position, record }: IndexedRecord): void {
    if (KINDS.indexOf(kind) > KINDS.indexOf(this.#kind)) this.#begin(kind);
    const expected = (this.#counts.get(this.#kind) ?? 0) + 1;
    if (kind !== this.#kind || position !== expected) {
      throw new RangeError(
        `${kind} ${position}: expected ${this.#kind} ${expected}, or the first record of a later kind`,
      );
    }
    this.#counts.set(kind, position);
    for (const { name, values, codes } of this.#fields) {
      const value = columnValue(kind, record, name);
      values.add(value);
      codes?.add(value);
    }
    this.#relations.add(kind, position - 1, record);
    this.#orders.add(kind, record);
    if (kind === 'location') {
      this.#latitudes.push(degreesOf(record['latitude']));
      this.#longitudes.push(degreesOf(record['longitude']));
    }
    this.#insertCard.run(this.#docs, cardOf(kind, record));
    const text = recordText(kind, record);
    this.#insertText.run(this.#docs, ...TEXT_COLUMNS.map((column) => text[column.name]));
    this.#docs += 1;
  }

  /**
   * Writes the buffered data.
   *
   * @param pause yields to the event loop
   */
  async finish(pause: () => Promise<void>): Promise<void> {
    this.#flush();
    for (const [kind, records] of this.#counts) this.#insertKind.run(kind, records);
    for (const relation of RELATIONS) {
      this.#arrays.writePairs(relation, this.#relations.pairsOf(relation));
    }
    this.#arrays.write('latitude', Float64Array.from(this.#latitudes));
    this.#arrays.write('longitude', Float64Array.from(this.#longitudes));
    await this.#orders.write(this.#arrays, pause);
  }

  #begin(kind: Kind): void {
    this.#flush();
    this.#kind = kind;
    this.#fields = this.#fieldsOf(kind);
  }

  #flush(): void {
    for (const { values, codes } of this.#fields) {
      values.flush();
      codes?.finish(this.#arrays);
    }
  }

  #fieldsOf(kind: Kind): IndexedField[] {
    return searchableColumns(kind).map((name) => ({
      name,
      values: this.#writerOf(kind, name),
      codes: hasCodes(kind, name)
        ? new CodeWriter(kind, name, this.#writerOf(kind, valuesName(name)))
        : undefined,
    }));
  }

  #writerOf(kind: Kind, name: string): FieldWriter {
    return new FieldWriter(({ block, folded, shown }) => {
      this.#insertBlock.run(kind, name, block, folded, shown);
    });
  }
}

/** Parses degrees; NaN if empty. */
function degreesOf(value: unknown): number {
  const text = plainText(value);
  return text === '' ? Number.NaN : Number(text);
}
