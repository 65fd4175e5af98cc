import { LRUCache } from 'lru-cache';
import { type Database, isSqlite } from '../storage/connect.ts';
import { type Edition, type EditionSelector, findNamedEdition } from '../storage/edition.ts';

/** A name that was not found gets a second look no more than once in this time, whoever asks. */
const AGAIN_MILLISECONDS = 1_000;

/** Names that are remembered as not found. */
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
 * has what all had when it was asked. Names that are made up do not wait: each gets a second look once a second at most.
 */
export function createEditionLookUp(
  database: Database,
): (named: EditionSelector) => Promise<Edition | undefined> {
  const missing = new LRUCache<EditionSelector, true>({ max: MOST_MISSING, ttl: AGAIN_MILLISECONDS });
  let canWait = !isSqlite(database);

  const findInStep = async (named: EditionSelector): Promise<Edition | undefined> => {
    if (!canWait) return await findNamedEdition(database, named);
    try {
      const column = typeof named === 'number' ? 'id' : 'key';
      const [rows = []]: { id: number }[][] = await database.raw(
        "set statement wsrep_sync_wait = 1 for select id from editions where ?? = ? and status = 'published'",
        [column, named],
      );
      return rows.length > 0 ? await findNamedEdition(database, named) : undefined;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!UNKNOWN_TO_SERVER.has(code)) throw error;
      canWait = false;
      return await findNamedEdition(database, named);
    }
  };

  return async (named) => {
    const edition = await findNamedEdition(database, named);
    if (edition || missing.has(named)) return edition;
    const arrived = await findInStep(named);
    if (!arrived) missing.set(named, true);
    return arrived;
  };
}
