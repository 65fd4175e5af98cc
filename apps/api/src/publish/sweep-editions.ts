import { KINDS, LANGUAGES } from '@archiefkast/types';
import { retryConflicts } from '../storage/database-errors.ts';
import { listEditionIds, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';

/** Positions whose rows one statement deletes: readers wait for none for long, and a cluster passes each on whole. */
const BATCH_POSITIONS = 2_000;

/** The tables of an edition's rows: what their keys begin with after the edition, and the column that is counted on. */
const TABLES = [
  { table: 'links', column: 'source', starts: KINDS.map((source_form) => ({ source_form })) },
  {
    table: 'texts',
    column: 'position',
    starts: LANGUAGES.flatMap((language) =>
      [...KINDS, 'abbreviated_event'].map((form) => ({ language, form })),
    ),
  },
  { table: 'records', column: 'position', starts: KINDS.map((kind) => ({ kind })) },
] as const;

/**
 * Deletes what publishes that failed or were killed have left: editions that were being written under earlier leases,
 * and rows whose edition is gone.
 */
export async function sweepLeftovers(lease: Lease): Promise<void> {
  const { database, fence } = lease;
  const leftovers: number[] = await database('editions')
    .where({ status: 'writing' })
    .where('fence', '<', fence)
    .orderBy('id')
    .pluck('id');
  for (const id of leftovers) await deleteEdition(lease, id);
  // The rows are looked at first: the edition of a row is there before it.
  const found = await findEditionsOfRows(lease);
  const known = new Set<number>(await database('editions').pluck('id'));
  for (const id of found) {
    if (!known.has(id)) await deleteRows(lease, id);
  }
}

/**
 * Deletes the published editions that are not kept. Kept are the served one, the one served before it, and then the
 * newest; and what was published under this lease.
 *
 * @param keep how many stay: 1 leaves the served one alone
 * @param before the edition that was served until now
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

/** Deletes an edition that is not served: written under an earlier lease, or not published yet. */
export async function deleteEdition(lease: Lease, id: number): Promise<void> {
  // Nobody may find an edition that is half gone, or switch to it from here on.
  await lease.transaction(async (transaction) => {
    const served = await transaction('served').where({ edition: id }).first('slot');
    if (served) throw new Error(`edition ${id} is served; it cannot be deleted`);
    await transaction('editions')
      .where({ id })
      .where('fence', '<', lease.fence)
      .update({ status: 'writing' });
  });
  await deleteRows(lease, id);
  const remove = () => lease.database('editions').where({ id, status: 'writing' }).delete();
  await retryConflicts(async () => remove(), { afterCut: true });
}

/** The editions that rows are of, the edition itself still there or not. */
async function findEditionsOfRows({ database, signal }: Lease): Promise<Set<number>> {
  const found = new Set<number>();
  for (const { table } of TABLES) {
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

/** Deletes the rows of an edition, in the order of their keys. */
async function deleteRows({ database, signal }: Lease, edition: number): Promise<void> {
  for (const { table, column, starts } of TABLES) {
    for (const start of starts) {
      const rows = { edition, ...start };
      const row = await database(table).where(rows).max({ last: column }).first();
      const last = Number(row?.['last'] ?? 0);
      for (let first = 0; first <= last; first += BATCH_POSITIONS) {
        signal.throwIfAborted();
        const batch: [number, number] = [first, first + BATCH_POSITIONS - 1];
        const remove = () => database(table).where(rows).whereBetween(column, batch).delete();
        await retryConflicts(async () => remove(), { afterCut: true });
      }
    }
  }
}
