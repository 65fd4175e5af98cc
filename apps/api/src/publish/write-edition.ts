import { hash, randomUUID } from 'node:crypto';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import { insertBlocks } from '../storage/blocks.ts';
import { insertChanges } from '../storage/changes.ts';
import { findChanges, readDigests } from '../storage/compare-editions.ts';
import { retryConflicts } from '../storage/database-errors.ts';
import { type EditionContents, findEdition, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import type { TextKind } from '../storage/text-kinds.ts';
import { type CheckedBundle, readRecords } from './bundle/check-bundle.ts';
import { READING_ORDER } from './bundle/record-schemas.ts';
import type { Records } from './bundle/records.ts';
import { DumpBlocks } from './hash-blocks.ts';
import { createRenderer, type RenderedRecord } from './render/render-record.ts';

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

/** Length of a digest in characters: 132 bits. */
const DIGEST_LENGTH = 22;

/** An edition that was written, and is not visible yet. */
export interface WrittenEdition extends EditionContents {
  /** Whether its records, and the description of the archive, are those of the served edition. */
  isSame: boolean;
}

/**
 * Writes the records of a bundle as an edition, with the blocks of its dumps, and what changed since the served one.
 *
 * @param onRecord called for every record; an error that it throws ends the work
 * @throws BundleError if the bundle has changed since it was checked; LeaseLostError; the reason of the lease's signal
 */
export async function writeEdition(
  lease: Lease,
  bundle: CheckedBundle,
  onRecord: () => void,
): Promise<WrittenEdition> {
  const { database } = lease;
  const { records, source } = bundle;
  const served = await servedEditionId(database);
  const earlier = served === undefined ? undefined : await findEdition(database, served);
  const archive = source.archive ? JSON.stringify(source.archive) : null;
  const written = await insertEdition(lease, bundle, archive);
  const { id, total } = written;
  const blocks = new DumpBlocks(written.counts);
  const writer = new RecordWriter(lease, id);
  const render = createRenderer(records);
  let same = 0;
  const writeKind = async <K extends Kind>(kind: K) => {
    const digests = earlier && (await readDigests(database, earlier, kind, lease.signal));
    for await (const { record, dates } of readRecords(bundle, kind)) {
      if (!record.published) continue;
      const rendered = render(kind, record, dates);
      const position = records.position(kind, record.uuid);
      const embeds = placeEmbeds(rendered, records);
      const digest = digestOf(rendered.texts, embeds);
      const known = digests?.get(record.uuid);
      const isSame = known?.digest === digest;
      if (isSame) same += 1;
      const row = [id, kind, position, record.id, record.uuid, digest, isSame ? known.changedAt : null];
      for (const { language, textKind, text } of rendered.texts) {
        blocks.addText(language, textKind, position, text);
      }
      for (const { textKind, targets } of embeds) blocks.addEmbedded(kind, position, textKind, targets);
      await writer.add({ kind, position, row, texts: rendered.texts, embeds });
      onRecord();
    }
  };
  for (const kind of READING_ORDER) await writeKind(kind);
  await writer.finish();
  const finished = blocks.finish();
  await lease.transaction((transaction) => insertBlocks(transaction, id, finished));
  if (!earlier) return { ...written, isSame: false };
  const changes = await findChanges(database, earlier, written);
  await lease.transaction((transaction) => insertChanges(transaction, id, earlier.id, changes));
  const isArchiveSame = archive === (earlier.archive ? JSON.stringify(earlier.archive) : null);
  return { ...written, isSame: isArchiveSame && same === total && same === earlier.total };
}

async function insertEdition(
  { transaction, fence }: Lease,
  { records, total }: CheckedBundle,
  archive: string | null,
): Promise<EditionContents> {
  const counts = { ...records.counts };
  const key = randomUUID();
  const columns = Object.fromEntries(KINDS.map((kind) => [COLLECTIONS[kind], counts[kind]]));
  const row = { key, status: 'writing', fence, archive, ...columns };
  const [id = 0] = await transaction(async (open) => await open('editions').insert(row));
  return { id, key, counts, total };
}

/** The records of a kind that a record embeds, in order. */
interface PlacedEmbeds {
  textKind: TextKind;
  uuids: readonly string[];
  /** Their positions. */
  targets: readonly number[];
}

/** Finds the positions of the records that a record embeds; those that are not served are left out. */
function placeEmbeds({ embeds }: RenderedRecord, records: Records): PlacedEmbeds[] {
  return embeds.map(({ textKind, kind, uuids }) => {
    const served = uuids.filter((uuid) => records.isServed(kind, uuid));
    return { textKind, uuids: served, targets: served.map((uuid) => records.position(kind, uuid)) };
  });
}

/**
 * Digest of a record's own texts in every language, and of which records it embeds; the content of those is not part of
 * it.
 */
function digestOf(texts: RenderedRecord['texts'], embeds: readonly PlacedEmbeds[]): string {
  const parts = [
    ...texts.map(({ text }) => text),
    ...embeds.map(({ textKind, uuids }) => `${textKind} ${uuids.join(' ')}`),
  ];
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, DIGEST_LENGTH);
}

/** Stores the records of one edition in batches, each in its own transaction. */
class RecordWriter {
  readonly #lease: Lease;
  readonly #edition: number;
  /** Batches being stored. */
  readonly #pending = new Set<Promise<void>>();
  #batch = emptyBatch();
  #characters = 0;
  #records: Row[] = [];

  constructor(lease: Lease, edition: number) {
    this.#lease = lease;
    this.#edition = edition;
  }

  /** Adds a record, and starts to store the batch if it is full. */
  async add({
    kind,
    position,
    row,
    texts,
    embeds,
  }: {
    kind: Kind;
    position: number;
    row: Row;
    texts: RenderedRecord['texts'];
    embeds: readonly PlacedEmbeds[];
  }): Promise<void> {
    this.#records.push(row);
    for (const { language, textKind, text } of texts) {
      this.#batch.texts.push([this.#edition, language, textKind, position, text]);
      this.#characters += text.length;
    }
    for (const { textKind, targets } of embeds) {
      for (const [ordinal, target] of targets.entries()) {
        this.#batch.links.push([this.#edition, kind, position, textKind, ordinal, target]);
      }
    }
    const rows = Math.max(this.#batch.texts.length, this.#batch.links.length);
    if (rows >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) await this.#store();
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
