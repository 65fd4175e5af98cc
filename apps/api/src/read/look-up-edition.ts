import { LRUCache } from 'lru-cache';
import { type Database, isSqlite } from '../database/connect.ts';
import { type Edition, findEdition } from '../editions/edition.ts';

/** An id that was not found gets a second look no more than once in this time, whoever asks. */
const AGAIN_MILLISECONDS = 1_000;

/** Ids that are remembered as not found. */
const MOST_MISSING = 1_000;

/** Codes of servers that know no causality checks: MySQL, and MariaDB without Galera. */
const UNKNOWN_TO_SERVER = new Set([
  'ER_UNKNOWN_SYSTEM_VARIABLE',
  'ER_PARSE_ERROR',
  'ER_SET_STATEMENT_NOT_SUPPORTED',
]);

/**
 * Looks kept editions up. One that is not there is looked for once more: behind a balancer another server may have
 * named it already, whose node of the database is ahead of this one's. On Galera the second look waits until this node
 * has what all had when it was asked. Ids that are made up do not wait: each gets a second look once a second at most.
 */
export function createEditionLookUp(database: Database): (id: number) => Promise<Edition | undefined> {
  const missing = new LRUCache<number, true>({ max: MOST_MISSING, ttl: AGAIN_MILLISECONDS });
  let canWait = !isSqlite(database);

  const findInStep = async (id: number): Promise<Edition | undefined> => {
    if (!canWait) return await findEdition(database, id);
    try {
      const [rows = []]: { id: number }[][] = await database.raw(
        "set statement wsrep_sync_wait = 1 for select id from editions where id = ? and status = 'published'",
        [id],
      );
      return rows.length > 0 ? await findEdition(database, id) : undefined;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!UNKNOWN_TO_SERVER.has(code)) throw error;
      canWait = false;
      return await findEdition(database, id);
    }
  };

  return async (id) => {
    const edition = await findEdition(database, id);
    if (edition || missing.has(id)) return edition;
    const arrived = await findInStep(id);
    if (!arrived) missing.set(id, true);
    return arrived;
  };
}
