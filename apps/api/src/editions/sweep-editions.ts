import type { Database } from '../database/connect.ts';
import { listEditions, servedEditionId } from './edition.ts';

/** Rows deleted by one statement: readers wait for none for long. */
const BATCH_POSITIONS = 5_000;

/**
 * Deletes the editions that are not kept: leftovers of publishes that failed or were killed, and published
 * ones beyond `keep`. Kept are the served edition, the one served before it, and then the newest. Only call it
 * under the publish lock.
 *
 * @param before the edition that was served until now: servers may still be reading it
 * @returns the ids of the editions deleted
 */
export async function sweepEditions(database: Database, keep: number, before?: number): Promise<number[]> {
  const served = await servedEditionId(database);
  const published = (await listEditions(database)).map(({ id }) => id);
  const inUse = [served, before].filter((id) => id !== undefined);
  const preferred = [...new Set([...inUse, ...published])];
  const kept = new Set(preferred.slice(0, Math.max(keep, inUse.length)));
  const all: { id: number }[] = await database('editions').select('id');
  const swept = all.map(({ id }) => id).filter((id) => !kept.has(id));
  for (const id of swept) await deleteEdition(database, id);
  return swept;
}

async function deleteEdition(database: Database, edition: number): Promise<void> {
  // Nobody may find an edition that is half gone.
  await database('editions').where({ id: edition }).update({ status: 'writing' });
  for (const [table, column] of [
    ['links', 'source'],
    ['texts', 'position'],
    ['records', 'position'],
  ] as const) {
    const row = await database(table).where({ edition }).max({ last: column }).first();
    const last = Number(row?.['last'] ?? 0);
    for (let start = 0; start <= last; start += BATCH_POSITIONS) {
      await database(table)
        .where({ edition })
        .whereBetween(column, [start, start + BATCH_POSITIONS - 1])
        .delete();
    }
  }
  await database('editions').where({ id: edition }).delete();
}
