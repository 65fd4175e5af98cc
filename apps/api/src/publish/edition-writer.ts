import type { Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import { insertBlocks } from '../storage/blocks.ts';
import { insertChanges } from '../storage/changes.ts';
import { retryConflicts } from '../storage/database-errors.ts';
import type { Lease } from '../storage/lease.ts';
import type { RecordIndex } from './bundle/record-index.ts';
import type { DumpBlocks } from './dump-blocks.ts';
import type { EditionChanges } from './edition-changes.ts';
import { RecordDigest, type RecordDigests } from './record-digests.ts';
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

const LINE_FEED = 0x0a;

const COLUMNS = {
  records: ['edition', 'kind', 'position', 'id', 'uuid', 'digest', 'changed_at'],
  texts: ['edition', 'language', 'form', 'position', 'text'],
  links: ['edition', 'source_form', 'source', 'target_form', 'ordinal', 'target'],
} as const;

type Table = keyof typeof COLUMNS;
type Verb = 'insert' | 'replace';
type Row = readonly (string | number | null)[];

/** Encodes lines in UTF-8, each into the same memory. */
class LineEncoder {
  #memory = Buffer.alloc(64 * 1024);

  /** A text and a line feed as bytes, which the next call overwrites. */
  encodeLine(text: string): Buffer {
    const most = text.length * 3 + 1;
    if (most > this.#memory.length) this.#memory = Buffer.alloc(most * 2);
    const end = this.#memory.write(text, 'utf8');
    this.#memory[end] = LINE_FEED;
    return this.#memory.subarray(0, end + 1);
  }
}

/** What is known of an edition from its rendered records. */
export interface EditionContent {
  digests: RecordDigests;
  blocks: DumpBlocks;
  changes: EditionChanges;
}

/** Stores the records of one edition in batches, each in its own transaction. */
export class EditionWriter {
  readonly #lease: Lease;
  readonly #edition: number;
  readonly #index: RecordIndex;
  readonly #content: EditionContent;
  /** Position of the location of each event; 0 for none. */
  readonly #locations: Uint32Array;
  /** Batches being stored. */
  readonly #pending = new Set<Promise<void>>();
  readonly #encoder = new LineEncoder();
  readonly #digest = new RecordDigest();
  #batch = emptyBatch();
  #characters = 0;
  #records: Row[] = [];

  constructor(lease: Lease, edition: number, index: RecordIndex, content: EditionContent) {
    this.#lease = lease;
    this.#edition = edition;
    this.#index = index;
    this.#content = content;
    this.#locations = new Uint32Array(index.kinds.event.count);
  }

  /** Adds a record, and starts to store the batch if it is full. */
  async add(kind: Kind, record: { id: number; uuid: string }, rendered: RenderedRecord): Promise<void> {
    const edition = this.#edition;
    const { digests, blocks, changes } = this.#content;
    const position = this.#index.position(kind, record.uuid);
    for (const { language, textKind, text } of rendered.texts) {
      this.#batch.texts.push([edition, language, textKind, position, text]);
      this.#characters += text.length;
      const line = this.#encoder.encodeLine(text);
      this.#digest.addText(line);
      blocks.addText(language, textKind, position, { text, line });
    }
    const isServed = (target: Kind, uuid: string) => this.#index.position(target, uuid) !== 0;
    const digest = this.#digest.finish(rendered.embeds, isServed);
    const { isNew, isSame, changedAt } = digests.compare(position, digest);
    if (!isSame) changes.addDifferent(kind, position, isNew);
    this.#records.push([edition, kind, position, record.id, record.uuid, digest, changedAt]);
    for (const { textKind, kind: target, uuids } of rendered.embeds) {
      const targets = uuids.map((uuid) => this.#index.position(target, uuid)).filter((each) => each !== 0);
      for (const [ordinal, each] of targets.entries()) {
        this.#batch.links.push([edition, kind, position, textKind, ordinal, each]);
      }
      blocks.addEmbedded(kind, position, textKind, targets);
      changes.addEmbedded(kind, position, textKind, targets);
      if (textKind === 'location') this.#locations[position - 1] = targets[0] ?? 0;
    }
    const { texts: rows, links } = this.#batch;
    if (Math.max(rows.length, links.length) >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) {
      await this.#store();
    }
  }

  /**
   * Stores the last batch, and waits for all of them; then the blocks of the dumps, and what changed.
   *
   * @param before the edition that was compared with; without it, no changes are stored
   */
  async finish(before?: number): Promise<void> {
    this.#addRecords();
    await this.#store();
    await Promise.all(this.#pending);
    const blocks = this.#content.blocks.finish(this.#locations);
    await this.#lease.transaction((transaction) => insertBlocks(transaction, this.#edition, blocks));
    if (before === undefined) return;
    const changes = this.#content.changes.finish(this.#locations, this.#index);
    await this.#lease.transaction((transaction) =>
      insertChanges(transaction, this.#edition, before, changes),
    );
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
