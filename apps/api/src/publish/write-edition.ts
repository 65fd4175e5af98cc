import { hash, randomUUID } from 'node:crypto';
import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import type { Knex } from 'knex';
import { insertBlocks } from '../storage/blocks.ts';
import { insertChanges } from '../storage/changes.ts';
import { findChanges } from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import { retryConflicts } from '../storage/database-errors.ts';
import { type EditionContents, findEdition, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { codeOf, textsOf } from '../storage/text-kinds.ts';
import { findVersions, readRecordNumbers, type StoredVersion } from '../storage/versions.ts';
import { VERSION } from '../version.ts';
import { type CheckedBundle, type CheckedRecord, readRecords } from './bundle/check-bundle.ts';
import { READING_ORDER } from './bundle/record-schemas.ts';
import type { Records } from './bundle/records.ts';
import { DumpBlocks, measureTexts } from './hash-blocks.ts';
import { embeddedIn, renderRecord } from './render/render-record.ts';
import { createServing } from './render/served-record.ts';

/** Maximum number of rows of one table in a batch. */
const BATCH_ROWS = 1_000;
/**
 * Maximum number of characters of text in a batch: small enough that a batch is garbage before it reaches the old
 * generation, and well below the largest packet of a database (16 MB by default).
 */
const BATCH_CHARACTERS = 500_000;

/**
 * Entries per batch, with the versions that they have. Uuids are in random order, so that every row touches another page of
 * their index; few large batches write each page less often than many small ones.
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
  versions: ['version', 'record', 'kind', 'uuid', 'id', 'input', 'digest', 'measures'],
  entries: ['edition', 'kind', 'position', 'record', 'version', 'changed_at'],
  texts: ['id', 'text'],
  embeds: ['version', 'form', 'ordinal', 'record'],
} as const;

type Table = keyof typeof COLUMNS;
type Verb = 'insert' | 'replace';
type Row = readonly (string | number | null)[];

/** Length of a digest in characters: 132 bits. */
const DIGEST_LENGTH = 22;

/** Records that are looked up by one statement. */
const LOOKUP_RECORDS = 500;

/** An edition that was written, and is not visible yet. */
export interface WrittenEdition extends EditionContents {
  /** Whether its records, and the description of the archive, are those of the served edition. */
  isSame: boolean;
}

/** How an edition is written. */
export interface WriteOptions {
  /** Whether to write every record anew, even if the database has the same version of it. */
  whole?: boolean | undefined;
  /** Called for every record; an error that it throws ends the work. */
  onRecord: () => void;
  /** Checks that there is room on the disks that are written to. @throws DiskSpaceError */
  requireRoom: RoomCheck;
}

/**
 * @param written size of the records that are new, in characters; how many are changed is known only when they are written
 * @param indexed size of all records
 */
export type RoomCheck = (written: number, indexed: number) => Promise<void>;

/**
 * Writes the records of a bundle as an edition, with the blocks of its dumps, and what changed since the served one. A record
 * whose texts would be rendered from nothing else than before has the version that the database has already.
 *
 * @throws BundleError if the bundle has changed since it was checked; LeaseLostError; the reason of the lease's signal
 */
export async function writeEdition(
  lease: Lease,
  bundle: CheckedBundle,
  { whole = false, onRecord, requireRoom }: WriteOptions,
): Promise<WrittenEdition> {
  const { database } = lease;
  const { records, source } = bundle;
  const served = await servedEditionId(database);
  const earlier = served === undefined ? undefined : await findEdition(database, served);
  const archive = source.archive ? JSON.stringify(source.archive) : null;
  const known = await findKnown(database, records);
  await requireRoom(bundle.length * (whole ? 1 : shareOfNew(known)), bundle.length);
  const { first, ...written } = await insertEdition(lease, bundle, archive);
  const { id, counts, total } = written;
  const nextVersion = numberVersions(counts, first);
  const recordAt = (kind: Kind, position: number) => known[kind][position - 1] || nextVersion(kind, position);
  const serve = createServing(records);
  const blocks = new DumpBlocks(counts);
  const writer = new BatchWriter(lease);
  let same = 0;

  const writeRecord = async <K extends Kind>(
    kind: K,
    { record, dates }: CheckedRecord<K>,
    versions: readonly StoredVersion[],
  ) => {
    const position = records.position(kind, record.uuid);
    const number = recordAt(kind, position);
    const content = serve(kind, record);
    const input = digestOf([VERSION, JSON.stringify([content, dates])]);
    const embeds = embeddedIn(content).map(({ textKind, kind: of, uuids }) => {
      const positions = uuids.map((uuid) => records.position(of, uuid));
      return { textKind, uuids, positions, targets: positions.map((at) => recordAt(of, at)) };
    });
    let version = whole ? undefined : versions.find((each) => each.input === input);
    if (!version) {
      const texts = renderRecord(kind, content, dates);
      const own = texts.map(({ text }) => text);
      const digest = digestOf([
        ...own,
        ...embeds.map(({ textKind, uuids }) => `${textKind} ${uuids.join(' ')}`),
      ]);
      const measures = measureTexts(texts);
      const next = nextVersion(kind, position);
      version = { version: next, uuid: record.uuid, input, digest, measures, changedAt: undefined };
      const row = [next, number, codeOf(kind), record.uuid, record.id, input, digest, measures];
      await writer.add({
        versions: [row],
        texts: texts.map(({ language, textKind, text }) => [textsOf(textKind, language) + next, text]),
        embeds: embeds.flatMap(({ textKind, targets }) =>
          targets.map((target, ordinal) => [next, codeOf(textKind), ordinal, target]),
        ),
      });
    }
    const before = versions.find(({ changedAt }) => changedAt !== undefined);
    const isSame = before?.digest === version.digest;
    if (isSame) same += 1;
    blocks.add(kind, position, version.measures);
    for (const { textKind, positions } of embeds) blocks.addEmbedded(kind, position, textKind, positions);
    const changedAt = isSame ? (before.changedAt ?? null) : null;
    await writer.add({ entries: [[id, codeOf(kind), position, number, version.version, changedAt]] });
    onRecord();
  };

  for (const kind of READING_ORDER) {
    for await (const batch of inBatches(readServed(bundle, kind))) {
      const uuids = batch.map(({ record }) => record.uuid);
      const isKnown = (uuid: string) => known[kind][records.position(kind, uuid) - 1] !== 0;
      const found = await findVersions(database, kind, uuids.filter(isKnown), earlier);
      const versions = Map.groupBy(found, ({ uuid }) => uuid);
      for (const each of batch) await writeRecord(kind, each, versions.get(each.record.uuid) ?? []);
    }
  }
  await writer.finish();
  const finished = blocks.finish();
  await lease.transaction((transaction) => insertBlocks(transaction, id, finished));
  if (!earlier) return { ...written, isSame: false };
  const changes = await findChanges(database, earlier, written);
  await lease.transaction((transaction) => insertChanges(transaction, id, earlier.id, changes));
  const isArchiveSame = archive === (earlier.archive ? JSON.stringify(earlier.archive) : null);
  return { ...written, isSame: isArchiveSame && same === total && same === earlier.total };
}

/** Adds an edition that is being written, and takes numbers for a version of each of its records. @returns the first of them */
async function insertEdition(
  { transaction, fence }: Lease,
  { records, total }: CheckedBundle,
  archive: string | null,
): Promise<EditionContents & { first: number }> {
  const counts = { ...records.counts };
  const key = randomUUID();
  const columns = Object.fromEntries(KINDS.map((kind) => [COLLECTIONS[kind], counts[kind]]));
  return await transaction(async (open) => {
    await open('archive').increment('versions', total);
    const { versions } = await open('archive').first('versions');
    const first = Number(versions) - total + 1;
    const row = { key, status: 'writing', fence, archive, first_version: first, ...columns };
    const [id = 0] = await open('editions').insert(row);
    return { id, key, counts, total, first };
  });
}

/** The numbers of the records of a bundle that the database has, by position; 0 for others. */
type Known = Readonly<Record<Kind, Float64Array>>;

async function findKnown(database: Database, records: Records): Promise<Known> {
  const known = forKinds((kind) => new Float64Array(records.counts[kind]));
  for await (const { kind, uuid, record } of readRecordNumbers(database)) {
    const position = records.position(kind, uuid);
    if (position > 0) known[kind][position - 1] = record;
  }
  return known;
}

/** The share of the records of a bundle that the database does not have. */
function shareOfNew(known: Known): number {
  const numbers = KINDS.flatMap((kind) => [...known[kind]]);
  return numbers.filter((number) => number === 0).length / Math.max(1, numbers.length);
}

/** The numbers of new versions: in order of position, as lists are read. @param first that of the first person */
function numberVersions(counts: Readonly<Record<Kind, number>>, first: number) {
  let end = first;
  const starts = forKinds((kind) => {
    const start = end;
    end += counts[kind];
    return start;
  });
  return (kind: Kind, position: number) => starts[kind] + position - 1;
}

/** The records of a kind that are served, in the order of the bundle. */
async function* readServed<K extends Kind>(bundle: CheckedBundle, kind: K): AsyncGenerator<CheckedRecord<K>> {
  for await (const each of readRecords(bundle, kind)) if (each.record.published) yield each;
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < LOOKUP_RECORDS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, DIGEST_LENGTH);
}

/** Stores rows in batches, each in its own transaction. */
class BatchWriter {
  readonly #lease: Lease;
  /** Batches being stored. */
  readonly #pending = new Set<Promise<void>>();
  #batch = emptyBatch();
  #characters = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  /** Adds rows, and starts to store the batch if it is full. */
  async add(rows: Partial<Record<Table, readonly Row[]>>): Promise<void> {
    for (const [table, more] of Object.entries(rows)) this.#batch[table as Table].push(...more);
    for (const [, text] of rows.texts ?? []) this.#characters += String(text).length;
    const { texts, embeds, entries } = this.#batch;
    const most = Math.max(texts.length, embeds.length);
    if (most >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS || entries.length >= BATCH_RECORDS)
      await this.#store();
  }

  /** Stores the last batch, and waits for all of them. */
  async finish(): Promise<void> {
    await this.#store(true);
    await Promise.all(this.#pending);
  }

  /** @param all whether to store the rows of records too, however few */
  async #store(all = false): Promise<void> {
    const { versions, entries } = this.#batch;
    const isFull = all || entries.length >= BATCH_RECORDS;
    const batch = isFull ? this.#batch : { ...this.#batch, versions: [], entries: [] };
    this.#batch = { ...emptyBatch(), ...(!isFull && { versions, entries }) };
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
  return { versions: [], entries: [], texts: [], embeds: [] };
}

async function insertBatch(
  transaction: Knex.Transaction,
  batch: Record<Table, Row[]>,
  verb: Verb,
): Promise<void> {
  for (const [table, all] of Object.entries(batch))
    for (const rows of statements(all)) await insertRows(transaction, verb, table as Table, rows);
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
