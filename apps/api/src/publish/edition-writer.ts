import type { Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import { retryConflicts } from '../storage/database-errors.ts';
import type { Lease } from '../storage/lease.ts';
import type { RecordIndex } from './bundle/record-index.ts';
import { type RecordDigests, recordDigest } from './record-digests.ts';
import type { RenderedRecord } from './render/render-record.ts';

/** Maximum number of rows of one table in a batch. */
const BATCH_ROWS = 1_000;
/**
 * Maximum number of characters of text in a batch: small enough that a batch is garbage before it reaches the old
 * generation, and well below the largest packet of a database (16 MB by default).
 */
const BATCH_CHARACTERS = 500_000;

/**
 * Rows of `records` per batch. Their uuids are in random order, so that every row touches another page of the uuid
 * index; few large batches write each page less often than many small ones.
 */
const BATCH_RECORDS = 20_000;

/**
 * Number of batches stored in parallel, each over its own connection. Three halve the time on MySQL and MariaDB; SQLite
 * has one connection, for which the others wait.
 */
const PARALLEL_BATCHES = 3;

/** Rows per statement: few, so that most statements have the same length and are reused. */
const STATEMENT_ROWS = 50;

/** Characters after which a statement takes no further row: with one more of the largest it is still below 16 MB. */
const STATEMENT_CHARACTERS = 1_000_000;

const COLUMNS = {
  records: ['edition', 'kind', 'position', 'id', 'uuid', 'digest', 'changed_at'],
  texts: ['edition', 'language', 'form', 'position', 'text'],
  links: ['edition', 'source_form', 'source', 'target_form', 'ordinal', 'target'],
} as const;

type Table = keyof typeof COLUMNS;
type Verb = 'insert' | 'replace';
type Row = readonly (string | number | null)[];

/** Stores the records of one edition in batches, each in its own transaction. */
export class EditionWriter {
  readonly #lease: Lease;
  readonly #edition: number;
  readonly #index: RecordIndex;
  readonly #digests: RecordDigests;
  /** Batches being stored. */
  readonly #pending = new Set<Promise<void>>();
  #batch = emptyBatch();
  #characters = 0;
  #records: Row[] = [];

  constructor(lease: Lease, edition: number, index: RecordIndex, digests: RecordDigests) {
    this.#lease = lease;
    this.#edition = edition;
    this.#index = index;
    this.#digests = digests;
  }

  /** Adds a record, and starts to store the batch if it is full. */
  async add(kind: Kind, record: { id: number; uuid: string }, rendered: RenderedRecord): Promise<void> {
    const edition = this.#edition;
    const position = this.#index.position(kind, record.uuid);
    const digest = recordDigest(rendered, (target, uuid) => this.#index.position(target, uuid) !== 0);
    const changedAt = this.#digests.put(kind, position, digest);
    this.#records.push([edition, kind, position, record.id, record.uuid, digest, changedAt]);
    for (const { language, textKind, text } of rendered.texts) {
      this.#batch.texts.push([edition, language, textKind, position, text]);
      this.#characters += text.length;
    }
    for (const { textKind, kind: target, uuids } of rendered.embeds) {
      const targets = uuids.map((uuid) => this.#index.position(target, uuid)).filter((each) => each !== 0);
      for (const [ordinal, each] of targets.entries()) {
        this.#batch.links.push([edition, kind, position, textKind, ordinal, each]);
      }
    }
    const { texts, links } = this.#batch;
    if (Math.max(texts.length, links.length) >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) {
      await this.#store();
    }
  }

  /** Stores the last batch, and waits for all of them. */
  async finish(): Promise<void> {
    this.#addRecords();
    await this.#store();
    await Promise.all(this.#pending);
  }

  #addRecords(): void {
    this.#batch.records = this.#records;
    this.#records = [];
  }

  async #store(): Promise<void> {
    if (this.#records.length >= BATCH_RECORDS) this.#addRecords();
    const batch = this.#batch;
    this.#batch = emptyBatch();
    this.#characters = 0;
    while (this.#pending.size >= PARALLEL_BATCHES) await Promise.race(this.#pending);
    const { database, signal } = this.#lease;
    signal.throwIfAborted();
    // If the connection was lost, the batch may have been stored already.
    let verb: Verb = 'insert';
    const store = () =>
      database.transaction((transaction) => {
        const inserted = insertBatch(transaction, batch, verb);
        verb = 'replace';
        return inserted;
      });
    const stored = retryConflicts(store, { afterCut: true, signal });
    this.#pending.add(stored);
    stored.then(
      () => this.#pending.delete(stored),
      // A failed batch stays, so that the next `await` throws its error.
      () => {},
    );
  }
}

function emptyBatch(): Record<Table, Row[]> {
  return { records: [], texts: [], links: [] };
}

async function insertBatch(
  transaction: Knex.Transaction,
  batch: Record<Table, Row[]>,
  verb: Verb,
): Promise<void> {
  for (const table of ['records', 'texts', 'links'] as const) {
    for (const rows of statements(batch[table])) await insertRows(transaction, verb, table, rows);
  }
}

/** Splits rows into statements by number of rows and of characters. */
function* statements(rows: readonly Row[]): Generator<Row[]> {
  let next: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    next.push(row);
    for (const value of row) if (typeof value === 'string') characters += value.length;
    if (next.length < STATEMENT_ROWS && characters < STATEMENT_CHARACTERS) continue;
    yield next;
    next = [];
    characters = 0;
  }
  if (next.length > 0) yield next;
}

/** Inserts rows with one raw statement; Knex's builder would take as long as the database. */
async function insertRows(
  transaction: Knex.Transaction,
  verb: Verb,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  await transaction.raw(insertOf(verb, table, rows.length), rows.flat());
}

/** Cached statements, by verb, table and number of rows. */
const inserts = new Map<string, string>();

function insertOf(verb: Verb, table: Table, rows: number): string {
  const key = `${verb} ${table} ${rows}`;
  const known = inserts.get(key);
  if (known !== undefined) return known;
  const columns = COLUMNS[table].map((column) => `\`${column}\``).join(',');
  const row = `(${COLUMNS[table].map(() => '?').join(',')})`;
  const sql = `${verb} into ${table} (${columns}) values ${Array(rows).fill(row).join(',')}`;
  inserts.set(key, sql);
  return sql;
}
