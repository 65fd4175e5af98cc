import { KINDS } from '@archiefkast/types';
import type { Knex } from 'knex';
import { inBatches } from '../batches.ts';
import type { Database } from '../storage/connect.ts';
import { findServedEdition, listEditions, totalOf } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { requireErasure } from '../storage/sqlite-client.ts';
import { ALL_TEXTS, codeOf } from '../storage/stored-texts.ts';

/** Entries deleted by one statement: few, so that readers do not wait and a cluster replicates each quickly. */
const BATCH_POSITIONS = 2_000;

/** Versions looked up by one statement. */
const LOOKUP_VERSIONS = 2_000;

/** Versions of which the rows are deleted by one statement. */
const BATCH_VERSIONS = 500;

/** Deletes what failed or killed publishes left behind: unfinished editions of earlier leases. */
export async function sweepLeftovers(lease: Lease): Promise<void> {
  const { database, fence } = lease;
  const unfinished = database('editions').where({ status: 'writing' }).where('fence', '<', fence);
  await deleteEditions(lease, await unfinished.orderBy('id').pluck('id'));
}

/**
 * Deletes old published editions. Kept are the served one, the one served before it, and then the newest; and any
 * published under this lease.
 *
 * @param keep number of editions to keep; 1 keeps only the served one
 * @param before the previously served edition
 * @returns the ids of the editions deleted
 */
export async function sweepEditions(lease: Lease, keep: number, before?: number): Promise<number[]> {
  const { database, fence } = lease;
  const served = (await findServedEdition(database))?.id;
  const published = (await listEditions(database)).map(({ id }) => id);
  const preferred = new Set([served, before, ...published].filter((id) => id !== undefined));
  const kept = new Set([...preferred].slice(0, keep));
  const older: number[] = await database('editions')
    .where({ status: 'published' })
    .where('fence', '<', fence)
    .orderBy('id')
    .pluck('id');
  const swept = older.filter((id) => !kept.has(id));
  await deleteEditions(lease, swept);
  return swept;
}

/** Whether there are editions to delete: more than `keep` published ones, or unfinished ones. */
export async function hasMoreEditions(database: Database, keep: number): Promise<boolean> {
  const statuses: string[] = await database('editions').pluck('status');
  return statuses.length > keep || statuses.includes('writing');
}

/** Deletes editions that are not served: those of earlier leases, and unpublished ones. */
export async function deleteEditions(lease: Lease, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { database, fence, transaction } = lease;
  // Hides them first, so that they cannot be read or switched to while they are being deleted.
  await transaction(async (open) => {
    const served = await open('served').whereIn('edition', ids).first('edition');
    if (served) throw new Error(`edition ${served.edition} is served; it cannot be deleted`);
    await open('editions').whereIn('id', ids).where('fence', '<', fence).update({ status: 'writing' });
    await requireErasure(open);
  });
  for (const id of ids) await deleteEntries(lease, id);
  const editions = await database('editions').whereIn('id', ids);
  for (const row of editions) if (row.published_at === null) await deleteUnfinished(lease, row);
  if (editions.some((row) => row.published_at !== null)) await deleteUnused(lease, ids);
  await transaction(async (open) => {
    // Changes since a deleted edition name records that no edition may have any more.
    const later: number[] = await open('editions').whereIn('compared_with', ids).pluck('id');
    await open('editions').whereIn('id', later).update({ compared_with: null });
    await open('changes')
      .whereIn('edition', [...ids, ...later])
      .delete();
    await open('blocks').whereIn('edition', ids).delete();
    await open('switches').whereIn('edition', ids).delete();
    await open('editions').whereIn('id', ids).where({ status: 'writing' }).delete();
  });
}

async function deleteEntries(lease: Lease, edition: number): Promise<void> {
  for (const kind of KINDS) {
    const entriesIn = (open: Knex) => open('entries').where({ edition, kind: codeOf(kind) });
    const last = await entriesIn(lease.database).max({ position: 'position' }).first();
    for (let first = 1; first <= Number(last?.['position']); first += BATCH_POSITIONS) {
      const run: [number, number] = [first, first + BATCH_POSITIONS - 1];
      await deleteRows(lease, (open) => entriesIn(open).whereBetween('position', run));
    }
  }
}

/** Deletes all that was written for versions of an edition that was never published: no other edition has them. */
async function deleteUnfinished(
  lease: Lease,
  row: { counts: string; first_version: number | string },
): Promise<void> {
  const total = totalOf(JSON.parse(row.counts));
  const versions = Array.from({ length: total }, (_, index) => Number(row.first_version) + index);
  await deleteVersions(lease, versions);
}

/** Deletes the versions that no edition has but those that are being deleted, whichever edition wrote them. */
async function deleteUnused(lease: Lease, deleted: readonly number[]): Promise<void> {
  const { database } = lease;
  const others: number[] = await database('editions')
    .whereNotIn('id', deleted)
    .orderBy('id', 'desc')
    .pluck('id');
  for (let next = 0; ; ) {
    const run: number[] = await database('versions')
      .where('version', '>=', next)
      .orderBy('version')
      .limit(LOOKUP_VERSIONS)
      .pluck('version');
    const last = run.at(-1);
    if (last === undefined) return;
    const unused: number[] = await database('versions')
      .whereBetween('version', [next, last])
      .whereNotExists((entries) =>
        entries
          .from('entries')
          .select(database.raw('1'))
          .whereIn('edition', others)
          .whereRaw('entries.record = versions.record and entries.version = versions.version'),
      )
      .pluck('version');
    await deleteVersions(lease, unused);
    next = last + 1;
  }
}

/** Where the database has rows of a version: the column with its number, or that number and an offset. Its own row comes last. */
const VERSION_ROWS: readonly [table: string, column: string, offset: number][] = [
  ...ALL_TEXTS.map((offset): [string, string, number] => ['texts', 'id', offset]),
  ['embeds', 'version', 0],
  ['versions', 'version', 0],
];

/** Deletes all rows of versions. */
async function deleteVersions(lease: Lease, versions: readonly number[]): Promise<void> {
  for (const some of inBatches(versions, BATCH_VERSIONS)) {
    for (const [table, column, offset] of VERSION_ROWS) {
      const numbers = some.map((version) => offset + version);
      await deleteRows(lease, (open) => open(table).whereIn(column, numbers));
    }
  }
}

/** Deletes rows by one statement, unless another process has taken over the lease. */
async function deleteRows(
  { signal, transaction }: Lease,
  rowsIn: (open: Knex) => Knex.QueryBuilder,
): Promise<void> {
  signal.throwIfAborted();
  await transaction(async (open) => await rowsIn(open).delete());
}
