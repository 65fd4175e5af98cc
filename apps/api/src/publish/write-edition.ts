import { hash, randomUUID } from 'node:crypto';
import {
  type CheckedBundle,
  type CheckedRecord,
  type KnownRecord,
  READING_ORDER,
  readRecords,
  sizesOf,
} from '@archiefkast/bundle';
import { OAI_MAPPING } from '@archiefkast/formats/oai';
import { forKinds, KINDS, type Kind } from '@archiefkast/types';
import { collectBatches } from '../batches.ts';
import { insertBlocks } from '../storage/blocks.ts';
import {
  type Comparison,
  type DifferentRecord,
  differsByNote,
  listRemoved,
  storeChanges,
  withNote,
} from '../storage/compare-editions.ts';
import type { Database } from '../storage/connect.ts';
import { type EditionContents, findServedEdition, noteOf } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { codeOf, textsOf } from '../storage/stored-texts.ts';
import { listRecordNumbers, listVersions, type StoredVersion } from '../storage/versions.ts';
import { VERSION } from '../version.ts';
import { DumpBlocks, measureTexts } from './hash-blocks.ts';
import { createServing, embeddedIn, namedIn, renderRecord } from './render.ts';

/**
 * The tables that a publish writes, with their columns, and the rows of a batch. Versions and entries are looked up by uuid and
 * record, in random order: each row touches another page of their index, and large batches write each page less often.
 */
const TABLES = {
  versions: {
    columns: ['version', 'record', 'kind', 'uuid', 'id', 'input', 'digest', 'measures'],
    batch: 5_000,
  },
  entries: {
    columns: ['edition', 'kind', 'position', 'record', 'version', 'changed_at', 'shown', 'datestamp'],
    batch: 5_000,
  },
  texts: { columns: ['id', 'text'], batch: 1_000 },
  embeds: { columns: ['version', 'text_kind', 'ordinal', 'record'], batch: 1_000 },
} as const;

type Table = keyof typeof TABLES;
type Row = readonly (string | number | null)[];

/**
 * Maximum number of characters of text in a batch: small enough that a batch is garbage before it reaches the old
 * generation, and well below the largest packet of a database (16 MB by default).
 */
const BATCH_CHARACTERS = 500_000;

/**
 * Number of batches stored in parallel, each over its own connection. Three halve the time on MySQL and MariaDB; SQLite
 * has one connection, for which the others wait.
 */
const PARALLEL_BATCHES = 3;

/** Rows per statement: few, so that most statements have the same length and are reused. */
const STATEMENT_ROWS = 50;

/** Characters after which a statement takes no further row: with one more of the largest it is still below 16 MB. */
const STATEMENT_CHARACTERS = 1_000_000;

/** Length of a digest in characters: 132 bits. */
const DIGEST_LENGTH = 22;

/** Records that are looked up by one statement: few enough that a batch is garbage before it reaches the old generation. */
const LOOKUP_RECORDS = 100;

/** The location with most events. */
export interface BusyPlace {
  name: string;
  events: number;
  /** Size of its record with all events, in bytes, without base URLs. */
  bytes: number;
  /** Number of base URLs in it. */
  links: number;
}

/** An edition that was written, and is not visible yet. */
export interface WrittenEdition extends EditionContents {
  /** Whether its records, and the description of the archive, are those of the served edition. */
  isSame: boolean;
  /** With the served edition; undefined if there is none. */
  comparison?: Comparison;
  /** The location with most events; undefined if there are none. */
  busiest?: BusyPlace | undefined;
}

/** How an edition is written. */
export interface WriteOptions {
  /** Whether to write every record anew, even if the database has the same version of it. */
  whole?: boolean | undefined;
  /** The key of the edition: a new one, by default. */
  key?: string | undefined;
  /** Called for every record; an error that it throws ends the work. */
  onRecord: () => void;
}

/**
 * Writes the records of a bundle as an edition, with the blocks of its dumps, and what changed since the served one. A record
 * whose texts would be rendered from nothing else than before has the version that the database has already.
 *
 * @throws BundleError if the bundle has changed since it was checked; LeaseLostError; the reason of the lease's signal
 */
export async function writeEdition(
  lease: Lease,
  bundle: CheckedBundle,
  { whole = false, key = randomUUID(), onRecord }: WriteOptions,
): Promise<WrittenEdition> {
  const { database } = lease;
  const { records, source } = bundle;
  const earlier = await findServedEdition(database);
  const archive = source.archive ? JSON.stringify(source.archive) : null;
  await findNumbers(database, records);
  const { first, ...written } = await insertEdition(lease, bundle, archive, key);
  const { id, counts } = written;
  const nextVersion = numberVersions(counts, first);
  const numberOf = (kind: Kind, known: KnownRecord) => known.number || nextVersion(kind, known.position);
  const serve = createServing(records);
  const blocks = new DumpBlocks(counts);
  const different = forKinds((): DifferentRecord[] => []);
  const writer = new RowWriter(lease);
  let busiest = { name: '', events: 0, position: 0 };

  const writeRecord = async <K extends Kind>(
    kind: K,
    { record, dates, known }: CheckedRecord<K>,
    versions: readonly StoredVersion[],
  ) => {
    const { position } = known;
    const number = numberOf(kind, known);
    const code = codeOf(kind);
    const content = serve(kind, record);
    const sizes = await sizesOf(bundle, record);
    const note = kind === 'subject' ? noteOf(source.archive, record.uuid) : undefined;
    const input = digestOf([VERSION, JSON.stringify([content, dates, sizes, ...(note ? [note] : [])])]);
    const embeds = embeddedIn(content).map(({ textKind, kind: of, uuids }) => {
      const targets = uuids.flatMap((uuid) => records.find(of, uuid) ?? []);
      return { textKind, uuids, targets, of };
    });
    let version = whole ? undefined : versions.find((each) => each.input === input);
    if (!version) {
      const texts = renderRecord(kind, content, dates, sizes, note);
      const bare = note ? renderRecord(kind, content, dates, sizes) : texts;
      const links = embeds.map(({ textKind, uuids }) => `${textKind} ${uuids.join(' ')}`);
      const { measures, rest } = measureTexts(bare);
      const own = digestOf([measures, ...rest, ...links]);
      const digest = note ? withNote(own, digestOf([note.nl, note.en])) : own;
      const next = nextVersion(kind, position);
      version = {
        version: next,
        uuid: record.uuid,
        input,
        digest,
        measures,
        ...{ position: null, changedAt: null, shown: null, datestamp: null },
      };
      await writer.add('versions', [[next, number, code, record.uuid, record.id, input, digest, measures]]);
      for (const { textKind, targets, of } of embeds)
        await writer.add(
          'embeds',
          targets.map((target, ordinal) => [next, codeOf(textKind), ordinal, numberOf(of, target)]),
        );
      await writer.add(
        'texts',
        texts.map(({ language, textKind, text }) => [textsOf(textKind, language) + next, text]),
      );
    }
    const before = versions.find((each) => each.position !== null);
    const isSame = before?.digest === version.digest;
    if (earlier && !isSame) {
      const at = { later: position, earlier: before?.position ?? null };
      const isNoteOnly = differsByNote(version.digest, before?.digest ?? '');
      different[kind].push({ record: number, uuid: record.uuid, ...at, isNoteOnly });
    }
    if ('events' in content && content.events.length > busiest.events)
      busiest = { name: content.name_nl || (content.name_en ?? ''), events: content.events.length, position };
    blocks.add(kind, position, version.measures);
    for (const { textKind, targets } of embeds) {
      const at = targets.map((target) => target.position);
      blocks.addEmbedded(kind, position, textKind, at);
    }
    const changedAt = isSame ? Number(before.changedAt ?? earlier?.publishedAt) : null;
    const shown = digestOf([version.digest, ...namedIn(kind, content, records)]);
    const datestamp = before?.shown === shown ? Number(before.datestamp ?? earlier?.servedAt) : null;
    await writer.add('entries', [[id, code, position, number, version.version, changedAt, shown, datestamp]]);
    onRecord();
  };

  for (const kind of READING_ORDER) {
    for await (const batch of collectBatches(readRecords(bundle, kind), LOOKUP_RECORDS)) {
      const uuids = batch.flatMap(({ record, known }) => (known.number === 0 ? [] : record.uuid));
      const found = await listVersions(database, kind, uuids, earlier);
      const versions = Map.groupBy(found, ({ uuid }) => uuid);
      for (const each of batch)
        if (each.known.position !== 0) await writeRecord(kind, each, versions.get(each.record.uuid) ?? []);
    }
  }
  await writer.finish();
  const finished = blocks.finish();
  await lease.transaction((transaction) => insertBlocks(transaction, id, finished));
  const { position, ...place } = busiest;
  const edition = {
    ...written,
    ...(position > 0 && { busiest: { ...place, ...blocks.sizeOf('location', position) } }),
  };
  if (!earlier) return { ...edition, isSame: false };
  for (const kind of KINDS) different[kind].push(...(await listRemoved(database, kind, earlier, written)));
  const comparison = { before: earlier, after: written, different };
  const changes = await storeChanges(lease, comparison);
  const isArchiveSame = archive === (earlier.archive ? JSON.stringify(earlier.archive) : null);
  const isSame = isArchiveSame && earlier.mapping === OAI_MAPPING && changes === 0;
  return { ...edition, isSame, comparison };
}

/** Adds an edition that is being written, and takes numbers for a version of each of its records. @returns the first of them */
async function insertEdition(
  { transaction, fence }: Lease,
  { records, total }: CheckedBundle,
  archive: string | null,
  key: string,
): Promise<EditionContents & { first: number }> {
  const counts = { ...records.counts };
  return await transaction(async (open) => {
    await open('archive').increment('versions', total);
    const { versions } = await open('archive').first('versions');
    const first = Number(versions) - total + 1;
    const row = { key, status: 'writing', fence, archive, first_version: first, mapping: OAI_MAPPING };
    const [id = 0] = await open('editions').insert({ ...row, counts: JSON.stringify(counts) });
    return { id, key, counts, total, first };
  });
}

/** Gives the records of a bundle the numbers that the database has for them. */
async function findNumbers(database: Database, records: CheckedBundle['records']): Promise<void> {
  for await (const { kind, uuid, number } of listRecordNumbers(database)) {
    const known = records.find(kind, uuid);
    if (known?.position) known.number = number;
  }
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

function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, DIGEST_LENGTH);
}

/** Stores rows in batches of one table, each in its own transaction. */
class RowWriter {
  readonly #lease: Lease;
  /** Batches being stored. */
  readonly #pending = new Set<Promise<void>>();
  readonly #batches: Record<Table, Row[]> = { versions: [], entries: [], texts: [], embeds: [] };
  #characters = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  /** Adds rows, and starts to store the batch of their table if it is full. */
  async add(table: Table, rows: readonly Row[]): Promise<void> {
    const batch = this.#batches[table];
    batch.push(...rows);
    if (table === 'texts') this.#characters += charactersOf(rows.flat());
    const isLong = table === 'texts' && this.#characters >= BATCH_CHARACTERS;
    if (batch.length >= TABLES[table].batch || isLong) await this.#store(table);
  }

  /** Stores the last batches, and waits for all of them. */
  async finish(): Promise<void> {
    for (const table of Object.keys(TABLES) as Table[]) await this.#store(table);
    await Promise.all(this.#pending);
  }

  async #store(table: Table): Promise<void> {
    const statements = [...inStatements(this.#batches[table])];
    this.#batches[table] = [];
    if (table === 'texts') this.#characters = 0;
    while (this.#pending.size >= PARALLEL_BATCHES) await Promise.race(this.#pending);
    const { signal, transaction } = this.#lease;
    signal.throwIfAborted();
    const stored = transaction(async (open) => {
      for (const rows of statements) await open.raw(replaceOf(table, rows.length), rows.flat());
    }, 'after');
    this.#pending.add(stored);
    stored.then(
      () => this.#pending.delete(stored),
      // A failed batch stays, so that the next `await` throws its error.
      () => {},
    );
  }
}

/** Splits rows into statements by number of rows and of characters. */
function* inStatements(rows: readonly Row[]): Generator<Row[]> {
  let next: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    next.push(row);
    characters += charactersOf(row);
    if (next.length < STATEMENT_ROWS && characters < STATEMENT_CHARACTERS) continue;
    yield next;
    next = [];
    characters = 0;
  }
  if (next.length > 0) yield next;
}

function charactersOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

/**
 * A statement that inserts rows, in place of those that a batch stored before its connection was lost. It is raw: Knex's builder
 * would take as long as the database.
 */
function replaceOf(table: Table, rows: number): string {
  const { columns } = TABLES[table];
  const row = `(${columns.map(() => '?').join(',')})`;
  return `replace into ${table} (${columns.join(',')}) values ${Array(rows).fill(row).join(',')}`;
}
