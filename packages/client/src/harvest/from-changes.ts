import { DatabaseSync } from 'node:sqlite';
import { type ChangedRecord, type ChangesHeader, KINDS, type Kind, type Manifest } from '@archiefkast/types';
import { addressOf, type FilledOptions, fillOptions } from '../client-options.ts';
import { contractSchemas } from '../contract-schemas.ts';
import type { Client } from '../create-client.ts';
import { dumpOf, readChanges } from '../dumps.ts';
import { ArchiveError, RequestError, responseError, StatusError } from '../errors.ts';
import { differencesFrom } from './content-hash.ts';
import type { RunningHarvest } from './harvest-options.ts';
import type { HarvestStore } from './store.ts';
import { forAllKinds, type ReadRecord, storeStream } from './walk-kind.ts';

/** The feed of changes is missing, or does not match what the archive published. */
export class ChangesError extends ArchiveError {
  override name = 'ChangesError';
}

/** The edition that the changes lead to; undefined if it cannot be verified. */
export async function findChangedEdition(
  client: Client,
  kinds: readonly Kind[],
): Promise<string | undefined> {
  const served = await client.manifest();
  if (!served || !kinds.every((kind) => dumpOf(served.manifest, kind))) return undefined;
  return String(served.manifest.edition.id);
}

/**
 * Merges the changes since an earlier harvest into its records. The result is compared with the hashes of the manifest.
 *
 * @throws ChangesError if the feed is missing, or the result differs from the manifest
 */
export async function takeChanges(running: RunningHarvest): Promise<void> {
  const feed = new ChangesFeed();
  try {
    await mergeAll(running, feed);
  } catch (error) {
    const isRefusal = error instanceof StatusError && error.status < 500;
    const isWrong = error instanceof RequestError && (error.reason === 'response' || error.reason === 'size');
    if (!isRefusal && !isWrong) throw error;
    throw new ChangesError(error.message, { cause: error });
  } finally {
    feed.close();
  }
}

async function mergeAll(running: RunningHarvest, feed: ChangesFeed): Promise<void> {
  const { client, store, held, walk, onEvent } = running;
  const { since = '', edition } = walk;
  if (!held || store.isFinished(walk.kinds)) return;
  const served = await client.manifest(edition ?? undefined);
  if (!served || edition === null) throw new ChangesError(`edition ${edition} is no longer served`);
  const { manifest } = served;
  const options = { ...fillOptions(running.options), onNotice: onEvent, schemas: contractSchemas };
  const url = addressOf({ ...options, edition: Number(edition) }, 'changes.jsonl', { since });
  const most = boundsOf(manifest, held, walk.kinds);
  const records = await fetchChanges({ url, since, edition, most, options }, (change) => feed.add(change));
  onEvent({ type: 'changes', since, edition, records });
  await forAllKinds(running, (harvest) => {
    const { kind } = harvest;
    const read = ({ records }: { records: number }) => after(records, mergeChanges(kind, held, feed));
    const check = () => {
      const dump = dumpOf(manifest, kind);
      const hashes = store.records(kind).map(({ hash }) => hash);
      const [difference] = dump
        ? differencesFrom(dump, hashes, store.size(kind).bytes)
        : ['the number of records'];
      if (difference === undefined) return;
      throw new ChangesError(
        `the resulting ${kind} records differ from those that the archive published as edition ${edition}: ${difference}`,
      );
    };
    return storeStream(harvest, { url, manifest, read, check });
  });
}

/** Maximum size of a feed: a larger one is rejected before it fills the disk. */
export interface ChangesBounds {
  /** Records added or changed. */
  records: number;
  /** Records removed. */
  removed: number;
  /** Bytes of the records. */
  bytes: number;
}

/** Maximum size of the changes: the records and bytes of the manifest, and the removal of all old records. */
function boundsOf(manifest: Manifest, held: HarvestStore, kinds: readonly Kind[]): ChangesBounds {
  const dumps = KINDS.flatMap((kind) => dumpOf(manifest, kind) ?? []);
  return {
    records: dumps.reduce((sum, { records }) => sum + records, 0),
    removed: Math.max(0, ...kinds.map((kind) => held.page(kind, 1)?.total ?? 0)),
    bytes: dumps.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The feed of changes to fetch. */
export interface ChangesQuestion {
  url: string;
  since: string;
  edition: string;
  most: ChangesBounds;
  options: FilledOptions;
}

/**
 * Fetches a feed of changes.
 *
 * @param take receives each change
 * @returns their number
 * @throws RequestError, also if it is not the requested feed, or has more records than its bounds
 */
export async function fetchChanges(
  { url, since, edition, most, options }: ChangesQuestion,
  take: (change: ChangedRecord) => void,
): Promise<number> {
  const onHeader = (header: ChangesHeader) => {
    const refuse = (expected: string) => responseError(url, `expected ${expected}`, JSON.stringify(header));
    const asked = `${since} to ${edition} in ${options.language}`;
    const given = `${header.since.id} to ${header.edition.id} in ${header.language}`;
    if (asked !== given) throw refuse(`the changes from ${asked}, not ${given}`);
    const { added, changed, removed } = header;
    if (added + changed > most.records || removed > most.removed) {
      const expected = `at most ${most.records} records added or changed and ${most.removed} removed`;
      throw refuse(`${expected}, not ${added + changed} and ${removed}`);
    }
  };
  const reading = { ...options, url, onHeader, recordBytes: most.bytes };
  let records = 0;
  for await (const change of readChanges(reading)) {
    take(change);
    records += 1;
  }
  return records;
}

/** The changes of a feed, in a temporary database. */
class ChangesFeed {
  readonly #database = new DatabaseSync('');

  constructor() {
    this.#database.exec(
      'CREATE TABLE changes (kind TEXT, uuid TEXT, change TEXT, id INTEGER, record TEXT, PRIMARY KEY (kind, uuid))',
    );
    this.#database.exec('BEGIN');
  }

  /** @throws ChangesError if a record is repeated */
  add(change: ChangedRecord): void {
    const { kind, change: what } = change;
    const uuid = change.uuid.toLowerCase();
    const record = change.change === 'removed' ? undefined : change.record;
    if (record && record.uuid.toLowerCase() !== uuid)
      throw new ChangesError(`it has the ${kind} ${record.uuid} under the uuid ${uuid}`);
    const line = record ? JSON.stringify(record) : null;
    const insert = this.#database.prepare('INSERT OR IGNORE INTO changes VALUES (?, ?, ?, ?, ?)');
    const { changes } = insert.run(kind, uuid, what, record?.id ?? null, line);
    if (changes === 0) throw new ChangesError(`it has the ${kind} ${uuid} twice`);
  }

  /** The uuids of changes of a kind. */
  uuids(kind: Kind, ...which: ChangedRecord['change'][]): Set<string> {
    const rows = this.#database.prepare('SELECT uuid, change FROM changes WHERE kind = ?').all(kind);
    const wanted = rows.filter(({ change }) => which.some((one) => one === change));
    return new Set(wanted.map(({ uuid }) => String(uuid)));
  }

  /** The added and changed records of a kind, by id. */
  *records(kind: Kind): Generator<ReadRecord & { id: number }, void, void> {
    const order = 'SELECT id, record FROM changes WHERE kind = ? AND record NOT NULL ORDER BY id';
    for (const { id, record: text } of this.#database.prepare(order).iterate(kind)) {
      const record: ReadRecord['record'] = JSON.parse(String(text));
      yield { id: Number(id), record, line: Buffer.from(`${text}\n`) };
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Skips a number of records. */
async function* after(count: number, records: Iterable<readonly ReadRecord[]>) {
  let left = count;
  for (const some of records) {
    yield some.slice(left);
    left -= Math.min(left, some.length);
  }
}

/**
 * Merges changes into the records of an earlier harvest; yields all current records, ordered by id.
 *
 * @throws ChangesError if the changes do not match the records
 */
function* mergeChanges(
  kind: Kind,
  held: HarvestStore,
  feed: ChangesFeed,
): Generator<ReadRecord[], void, void> {
  const added = feed.uuids(kind, 'added');
  const missing = feed.uuids(kind, 'changed', 'removed');
  const removed = feed.uuids(kind, 'removed');
  const coming = feed.records(kind);
  let next = coming.next();
  function* comingBefore(id: number): Generator<ReadRecord[], void, void> {
    for (; !next.done && next.value.id < id; next = coming.next()) yield [next.value];
  }
  for (const block of held.blocks(kind)) {
    for (const text of block.toString().split('\n').slice(0, -1)) {
      const record: { id: number; uuid: string } = JSON.parse(text);
      const uuid = record.uuid.toLowerCase();
      if (added.has(uuid)) throw new ChangesError(`it adds the ${kind} ${uuid}, which already exists`);
      if (missing.delete(uuid)) continue;
      yield* comingBefore(record.id);
      yield [{ record, line: Buffer.from(`${text}\n`) }];
    }
  }
  yield* comingBefore(Number.POSITIVE_INFINITY);
  const [uuid] = missing;
  if (uuid === undefined) return;
  const does = removed.has(uuid) ? 'removes' : 'changes';
  throw new ChangesError(`it ${does} the ${kind} ${uuid}, which does not exist`);
}
