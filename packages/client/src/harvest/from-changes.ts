import { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types';
import { addressOf } from '../client-options.ts';
import { dumpOf, readChanges, readManifest } from '../dumps.ts';
import { RequestError, responseError, StatusError } from '../errors.ts';
import { writtenAs } from '../listing.ts';
import { differencesFrom } from './content-hash.ts';
import type { RunningHarvest } from './harvest-options.ts';
import type { HarvestStore } from './store.ts';
import { forAllKinds, type ReadRecord, storeStream } from './walk-kind.ts';

/** Whether an error of `takeChanges` says that the feed is missing or wrong: pages may lead to the same records. */
export function isRefusal(error: unknown): error is RequestError {
  if (error instanceof StatusError) return error.status < 500;
  return error instanceof RequestError && (error.reason === 'response' || error.reason === 'size');
}

/**
 * Merges the changes since an earlier harvest into its records. The result is compared with the hashes of the manifest.
 *
 * @throws RequestError, also if the edition is no longer served, or the result differs from the manifest
 */
export async function takeChanges(running: RunningHarvest): Promise<void> {
  const { connection, store, held, walk, onEvent } = running;
  const { since = '', edition, events } = walk;
  if (!held || walk.kinds.every((kind) => store.kindWalk(kind)?.finished_at)) return;
  const served = await readManifest(connection, edition ?? undefined);
  if (!served || edition === null)
    throw responseError(connection.baseUrl, `edition ${edition} is no longer served`);
  const { manifest } = served;
  const asked = { edition, since, events: writtenAs(events, 'event').events };
  const url = addressOf(connection, 'changes.jsonl', asked);
  // The changes of a feed, in a temporary database.
  using feed = new DatabaseSync('');
  feed.exec('CREATE TABLE changes (kind TEXT, uuid TEXT, id INTEGER, line TEXT); BEGIN');
  const insert = feed.prepare('INSERT INTO changes VALUES (?, ?, ?, ?)');
  let records = 0;
  const dumps = KINDS.flatMap((kind) => dumpOf(manifest, kind, events) ?? []);
  const sum = (name: 'records' | 'bytes') => dumps.reduce((all, dump) => all + dump[name], 0);
  const removed = Math.max(0, ...walk.kinds.map((kind) => held.lastPage(kind)?.total ?? 0));
  const limits = { since, edition, records: sum('records'), bytes: sum('bytes'), removed, events };
  for await (const change of readChanges(connection, url, limits)) {
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
    const [difference] = differencesFrom(manifest, kind, store) ?? ['the number of records'];
    if (difference === undefined) return;
    throw responseError(
      url,
      `the resulting ${kind} records differ from those that the archive published as edition ${edition}: ${difference}`,
    );
  });
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
