import type { Database } from './connect.ts';

/**
 * The random id of the archive that a database holds: the same for all who use it, by whatever address.
 *
 * @throws Error when there is none, which a migrated database always has
 */
export async function readArchiveId(database: Database): Promise<string> {
  const row: { id: string } | undefined = await database('archive').where({ slot: 1 }).first('id');
  if (!row) throw new Error('the table archive has no row; archive-api migrate makes it on a new database');
  return row.id;
}
