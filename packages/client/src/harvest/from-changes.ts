import { DatabaseSync } from 'node:sqlite';
import { type ChangedRecord, type ChangesHeader, KINDS, type Kind, type Manifest } from '@archiefkast/types';
import { addressOf, type FilledOptions, fillOptions } from '../client-options.ts';
import { contractSchemas } from '../contract-schemas.ts';
import { dumpOf, readChanges } from '../dumps.ts';
import { ArchiveError, RequestError, responseError, StatusError } from '../errors.ts';
import { differencesFrom } from './content-hash.ts';
import type { RunningHarvest } from './harvest-options.ts';
import type { HarvestStore } from './store.ts';
import { forAllKinds, type ReadRecord, storeStream } from './walk-kind.ts';

/** The feed of changes is missing, or does not lead to what the archive published. */
export class ChangesError extends ArchiveError {
  override name = 'ChangesError';
}

/**
 * Merges the changes since an earlier harvest into its records. The result is compared with the hashes of the manifest.
 *
 * @throws ChangesError if the feed is missing, or the result differs from the manifest
 */
export async function takeChanges(running: RunningHarvest): Promise<void> {
  try {
    await mergeAll(running);
  } catch (error) {
    const isRefusal = error instanceof StatusError && error.status < 500;
    const isWrong = error instanceof RequestError && (error.reason === 'response' || error.reason === 'size');
    if (!isRefusal && !isWrong) throw error;
    throw new ChangesError(error.message, { cause: error });
  }
}

async function mergeAll(running: RunningHarvest): Promise<void> {
  const { client, store, held, walk, onEvent } = running;
  const { since = '', edition } = walk;
  if (!held || walk.kinds.every((kind) => store.kindWalk(kind)?.finished_at)) return;
  const served = await client.manifest(edition ?? undefined);
  if (!served || edition === null) throw new ChangesError(`edition ${edition} is no longer served`);
  const { manifest } = served;
  const options = { ...fillOptions(running.options), onNotice: onEvent, schemas: contractSchemas };
  const url = addressOf({ ...options, edition: Number(edition) }, 'changes.jsonl', { since });
  // The changes of a feed, in a temporary database.
  using feed = new DatabaseSync('');
  feed.exec('CREATE TABLE changes (kind TEXT, uuid TEXT, id INTEGER, line TEXT); BEGIN');
  const insert = feed.prepare('INSERT INTO changes VALUES (?, ?, ?, ?)');
  let records = 0;
  const most = boundsOf(manifest, held, walk.kinds);
  for await (const change of fetchChanges({ url, since, edition, most, options })) {
    const record = change.change === 'removed' ? undefined : change.record;
    const line = record ? `${JSON.stringify(record)}\n` : null;
    insert.run(change.kind, change.uuid.toLowerCase(), record?.id ?? null, line);
    records += 1;
  }
  onEvent({ type: 'changes', since, edition, records });
  await forAllKinds(running, async (harvest) => {
    const { kind } = harvest;
    if (store.kindWalk(kind)?.finished_at) return;
    store.begin(kind);
    await storeStream(harvest, url, manifest, mergeChanges(kind, held, feed));
    const dump = dumpOf(manifest, kind);
    const hashes = store.records(kind).map(({ hash }) => hash);
    const [difference] = dump ? differencesFrom(dump, hashes, store.bytes(kind)) : ['the number of records'];
    if (difference === undefined) return;
    throw new ChangesError(
      `the resulting ${kind} records differ from those that the archive published as edition ${edition}: ${difference}`,
    );
  });
}

/** Maximum size of a feed: a larger one is rejected before it fills the disk. */
interface ChangesBounds {
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
    removed: Math.max(0, ...kinds.map((kind) => held.lastPage(kind)?.total ?? 0)),
    bytes: dumps.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The feed of changes to fetch. */
interface ChangesQuestion {
  url: string;
  since: string;
  edition: string;
  most: ChangesBounds;
  options: FilledOptions;
}

/**
 * Fetches a feed of changes.
 *
 * @throws RequestError, also if it is not the requested feed, or has more records than its bounds
 */
export function fetchChanges(question: ChangesQuestion): AsyncGenerator<ChangedRecord, void, void> {
  const { url, since, edition, most, options } = question;
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
  return readChanges({ ...options, url, onHeader, recordBytes: most.bytes });
}

/** Merges changes into the records of an earlier harvest; yields all current records, ordered by id. */
async function* mergeChanges(
  kind: Kind,
  held: HarvestStore,
  feed: DatabaseSync,
): AsyncGenerator<ReadRecord[], void, void> {
  const rows = feed.prepare('SELECT uuid FROM changes WHERE kind = ?').all(kind);
  const changed = new Set(rows.map(({ uuid }) => String(uuid)));
  const order = 'SELECT id, line FROM changes WHERE kind = ? AND line NOT NULL ORDER BY id';
  const coming = feed.prepare(order).iterate(kind);
  let next = coming.next();
  function* comingBefore(id: number): Generator<ReadRecord[], void, void> {
    for (; !next.done && Number(next.value['id']) < id; next = coming.next())
      yield [readRecord(String(next.value['line']))];
  }
  for (const block of held.blocks(kind)) {
    for (const text of block.toString().split('\n').slice(0, -1)) {
      const kept = readRecord(`${text}\n`);
      if (changed.has(kept.record.uuid.toLowerCase())) continue;
      yield* comingBefore(kept.record.id);
      yield [kept];
    }
  }
  yield* comingBefore(Number.POSITIVE_INFINITY);
}

function readRecord(line: string): ReadRecord & { record: { id: number } } {
  return { record: JSON.parse(line), line: Buffer.from(line) };
}
