import { COLLECTIONS, KINDS } from '@archiefkast/types';
import type { Database } from '../storage/connect.ts';
import { retryConflicts } from '../storage/database-errors.ts';
import { listEditionIds, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { EDITION_TABLES } from '../storage/schema.ts';
import { ALL_TEXTS } from '../storage/text-kinds.ts';

/** Positions, or versions, deleted by one statement: few, so that readers do not wait and a cluster replicates each quickly. */
const BATCH_POSITIONS = 2_000;

/** Versions whose texts are deleted by one statement. */
const BATCH_VERSIONS = 500;

/**
 * Deletes what failed or killed publishes left behind: unfinished editions of earlier leases, and rows without an
 * edition.
 */
export async function sweepLeftovers(lease: Lease): Promise<void> {
  const { database, fence } = lease;
  const leftovers: number[] = await database('editions')
    .where({ status: 'writing' })
    .where('fence', '<', fence)
    .orderBy('id')
    .pluck('id');
  for (const id of leftovers) await deleteEdition(lease, id);
  // Rows are read before editions: an edition is always inserted before its rows.
  const found = await findEditionsOfRows(lease);
  const known = new Set<number>(await database('editions').pluck('id'));
  for (const id of found) {
    if (!known.has(id)) await deleteRows(lease, id);
  }
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
  const served = await servedEditionId(database);
  const published = await listEditionIds(database);
  const preferred = new Set([served, before, ...published].filter((id) => id !== undefined));
  const kept = new Set([...preferred].slice(0, keep));
  const older: number[] = await database('editions')
    .where({ status: 'published' })
    .where('fence', '<', fence)
    .orderBy('id')
    .pluck('id');
  const swept = older.filter((id) => !kept.has(id));
  for (const id of swept) await deleteEdition(lease, id);
  return swept;
}

/** Whether there are editions to delete: more than `keep` published ones, or unfinished ones. */
export async function hasMoreEditions(database: Database, keep: number): Promise<boolean> {
  const statuses: string[] = await database('editions').pluck('status');
  return statuses.length > keep || statuses.includes('writing');
}

/** Deletes an edition that is not served: one of an earlier lease, or an unpublished one. */
export async function deleteEdition(lease: Lease, id: number): Promise<void> {
  // Hides the edition first, so that it cannot be read or switched to while it is being deleted.
  await lease.transaction(async (transaction) => {
    const served = await transaction('served').where({ edition: id }).first('slot');
    if (served) throw new Error(`edition ${id} is served; it cannot be deleted`);
    await transaction('editions')
      .where({ id })
      .where('fence', '<', lease.fence)
      .update({ status: 'writing' });
  });
  await deleteRows(lease, id);
  const unfinished = await lease.database('editions').where({ id }).whereNull('published_at').first();
  await (unfinished ? deleteUnfinished(lease, unfinished) : deleteVersions(lease, id));
  await forgetChangesSince(lease, id);
  const remove = () => lease.database('editions').where({ id, status: 'writing' }).delete();
  await retryConflicts(async () => remove(), { afterCut: true });
}

/** Deletes all that was written for versions of an edition that was never published: no other edition has them. */
async function deleteUnfinished(lease: Lease, row: Readonly<Record<string, unknown>>): Promise<void> {
  const total = KINDS.reduce((sum, kind) => sum + Number(row[COLLECTIONS[kind]]), 0);
  const first = Number(row['first_version']);
  const last = first + total - 1;
  for (const [table, column, offset] of VERSION_ROWS)
    await deleteRange(lease, table, {}, column, [offset + first, offset + last]);
}

/** Deletes the versions that no edition has, whichever edition wrote them. */
async function deleteVersions(lease: Lease, leaving: number): Promise<void> {
  const { database, signal } = lease;
  const others: number[] = await database('editions')
    .whereNot({ id: leaving })
    .orderBy('id', 'desc')
    .pluck('id');
  for (let next: number | undefined = 0; next !== undefined; ) {
    signal.throwIfAborted();
    const run: number[] = await database('versions')
      .where('version', '>=', next)
      .orderBy('version')
      .limit(BATCH_POSITIONS)
      .pluck('version');
    const unused: number[] = await database('versions')
      .whereBetween('version', [run[0] ?? 0, run.at(-1) ?? 0])
      .whereNotExists((entries) =>
        entries
          .from('entries')
          .select(database.raw('1'))
          .whereIn('edition', others)
          .whereRaw('entries.record = versions.record and entries.version = versions.version'),
      )
      .pluck('version');
    for (let start = 0; start < unused.length; start += BATCH_VERSIONS) {
      const versions = unused.slice(start, start + BATCH_VERSIONS);
      for (const [table, column, offset] of VERSION_ROWS) {
        const numbers = versions.map((version) => offset + version);
        await retryConflicts(async () => database(table).whereIn(column, numbers).delete(), {
          afterCut: true,
        });
      }
    }
    next = run.length < BATCH_POSITIONS ? undefined : (run.at(-1) ?? 0) + 1;
  }
}

/** Where the database has rows of a version: the column with its number, or that number and an offset. Its own row comes last. */
const VERSION_ROWS: readonly [table: string, column: string, offset: number][] = [
  ...ALL_TEXTS.map((offset): [string, string, number] => ['texts', 'id', offset]),
  ['embeds', 'version', 0],
  ['versions', 'version', 0],
];

/** Deletes the changes of other editions since this one: they name records that no edition may have any more. */
async function forgetChangesSince(lease: Lease, before: number): Promise<void> {
  const later: number[] = await lease.database('editions').where({ compared_with: before }).pluck('id');
  for (const edition of later) {
    await lease.transaction(async (transaction) => {
      await transaction('editions').where({ id: edition }).update({ compared_with: null });
      await transaction('changes').where({ edition }).delete();
    });
  }
}

/** The edition ids found in rows, including ids of missing editions. */
async function findEditionsOfRows({ database, signal }: Lease): Promise<Set<number>> {
  const found = new Set<number>();
  for (const { table } of EDITION_TABLES) {
    for (let last = 0; ; ) {
      signal.throwIfAborted();
      const row = await database(table).where('edition', '>', last).min({ next: 'edition' }).first();
      if (typeof row?.['next'] !== 'number') break;
      last = row['next'];
      found.add(last);
    }
  }
  return found;
}

/** Deletes the rows of an edition in every table that has some. */
async function deleteRows(lease: Lease, edition: number): Promise<void> {
  for (const { table, key } of EDITION_TABLES) await deleteInOrder(lease, table, { edition }, key);
}

/** Deletes rows in order of the key columns that follow those of `rows`, the last of which is a number. */
async function deleteInOrder(
  lease: Lease,
  table: string,
  rows: Readonly<Record<string, string | number>>,
  [column = '', ...columns]: readonly string[],
): Promise<void> {
  if (columns.length === 0) return await deleteRange(lease, table, rows, column);
  const { database } = lease;
  for (let done: string | number | undefined; ; ) {
    const left = database(table).where(rows);
    if (done !== undefined) left.where(column, '>', done);
    const row: { next?: string | number | null } | undefined = await left.min({ next: column }).first();
    done = row?.next ?? undefined;
    if (done === undefined) return;
    await deleteInOrder(lease, table, { ...rows, [column]: done }, columns);
  }
}

/** Deletes rows in order of a column of numbers, from one to another, inclusive. */
async function deleteRange(
  { database, signal }: Lease,
  table: string,
  rows: Readonly<Record<string, string | number>>,
  column: string,
  [first, last]: [number, number] = [0, Number.MAX_SAFE_INTEGER],
): Promise<void> {
  for (let start = first; ; ) {
    signal.throwIfAborted();
    const row: { next?: number | null } | undefined = await database(table)
      .where(rows)
      .whereBetween(column, [start, last])
      .min({ next: column })
      .first();
    if (typeof row?.next !== 'number') return;
    const end = Math.min(row.next + BATCH_POSITIONS - 1, last);
    const batch: [number, number] = [row.next, end];
    const remove = () => database(table).where(rows).whereBetween(column, batch).delete();
    await retryConflicts(async () => remove(), { afterCut: true });
    start = end + 1;
  }
}
