import type { Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import { retryConflicts } from '../storage/database-errors.ts';
import type { Lease } from '../storage/lease.ts';
import type { RecordIndex } from './bundle/record-index.ts';
import { type RecordDigests, recordDigest } from './record-digests.ts';
import type { RenderedRecord } from './render/render-record.ts';

/** A batch is stored when it has this many rows of one table … */
const BATCH_ROWS = 1_000;
/**
 * … or this many characters of text: so few that a batch is stored and gone before it is taken for something that
 * stays, and well below a database's largest packet (16 MB by default).
 */
const BATCH_CHARACTERS = 500_000;

/**
 * The rows of `records` wait until there are so many: their uuids come in no order, so that each row is written to
 * another page of the index of uuids, and few large batches write a page less often than many small ones.
 */
const BATCH_RECORDS = 20_000;

/**
 * Batches that are stored at the same time, each over a connection of its own. MySQL and MariaDB store three in half
 * of the time; SQLite has one connection, and the others wait for it.
 */
const BATCHES_UNDER_WAY = 3;

/** Rows of one statement: few enough that statements of the same length come again, and are reused. */
const STATEMENT_ROWS = 50;

/** Characters after which a statement takes no more rows: with one more of the largest, it is below 16 MB still. */
const STATEMENT_CHARACTERS = 1_000_000;

const COLUMNS = {
  records: ['edition', 'kind', 'position', 'id', 'uuid', 'digest', 'changed_at'],
  texts: ['edition', 'language', 'form', 'position', 'text'],
  links: ['edition', 'source_form', 'source', 'target_form', 'ordinal', 'target'],
} as const;

type Table = keyof typeof COLUMNS;
type Verb = 'insert' | 'replace';
type Row = readonly (string | number | null)[];

/** Stores the records of one edition in batches, each in a transaction of its own. */
export class EditionWriter {
  readonly #lease: Lease;
  readonly #edition: number;
  readonly #index: RecordIndex;
  readonly #digests: RecordDigests;
  /** Batches that are being stored. */
  readonly #underWay = new Set<Promise<void>>();
  #batch = emptyBatch();
  #characters = 0;
  #records: Row[] = [];

  constructor(lease: Lease, edition: number, index: RecordIndex, digests: RecordDigests) {
    this.#lease = lease;
    this.#edition = edition;
    this.#index = index;
    this.#digests = digests;
  }

  /** Adds a record; stores the batch when it is full. The next batches are made while this one is stored. */
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

  /** Stores what is left. */
  async finish(): Promise<void> {
    this.#addRecords();
    await this.#store();
    await Promise.all(this.#underWay);
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
    while (this.#underWay.size >= BATCHES_UNDER_WAY) await Promise.race(this.#underWay);
    const { database, signal } = this.#lease;
    signal.throwIfAborted();
    // Where the connection was cut, the batch may be there already.
    let verb: Verb = 'insert';
    const store = () =>
      database.transaction((transaction) => {
        const inserted = insertBatch(transaction, batch, verb);
        verb = 'replace';
        return inserted;
      });
    const stored = retryConflicts(store, { afterCut: true, signal });
    this.#underWay.add(stored);
    stored.then(
      () => this.#underWay.delete(stored),
      // Stays, so that whoever waits next is told.
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

/** The rows of each statement: so many, or fewer where they are long. */
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

/** One statement for many rows. Knex's own builder takes as long as the database over this. */
async function insertRows(
  transaction: Knex.Transaction,
  verb: Verb,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  await transaction.raw(insertOf(verb, table, rows.length), rows.flat());
}

/** Statements made before, by verb, table and number of rows. */
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
