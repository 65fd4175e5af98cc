import type { Database } from './connect.ts';
import { isAccessDenied } from './database-errors.ts';
import { isSqlite } from './sqlite-client.ts';

/** The columns of `show replica status` that are used: MySQL's names, and MariaDB's. */
interface ReplicaStatus {
  Replica_IO_Running?: string;
  Slave_IO_Running?: string;
  Replica_SQL_Running?: string;
  Slave_SQL_Running?: string;
  Seconds_Behind_Source?: number | null;
  Seconds_Behind_Master?: number | null;
}

/**
 * A read for which a node of a Galera cluster waits until it has applied the writes of all others. Where reads are allowed without a
 * majority (`wsrep_dirty_reads`, as in deploy/cluster), Galera would neither wait nor refuse.
 */
const READ_CAUSALLY =
  'set statement wsrep_sync_wait = 1, wsrep_dirty_reads = off for select sequence from served';

/**
 * Confirms that what is read from the database next is all that was written before now, or says how far it is behind: a node of a
 * Galera cluster by a read that waits for the writes of all others; a replica (a server with `read_only`) by the state of its
 * replication.
 *
 * @returns by how many milliseconds it may be behind
 * @throws Error if that cannot be said; any error of the database
 */
export async function confirmCurrent(database: Database): Promise<number> {
  if (isSqlite(database)) return 0;
  const { wsrep_on: cluster, read_only: readOnly } = await readVariables(database, 'wsrep_on', 'read_only');
  if (cluster === 'ON') {
    await database.raw(READ_CAUSALLY);
    return 0;
  }
  return readOnly === 'OFF' ? 0 : await readReplicaLag(database);
}

/** Whether the database is a node of a Galera cluster. */
export async function isCluster(database: Database): Promise<boolean> {
  return !isSqlite(database) && (await readVariables(database, 'wsrep_on'))['wsrep_on'] === 'ON';
}

/** The variables of a server by name, without those that it does not have. */
async function readVariables(database: Database, ...names: string[]): Promise<Record<string, string>> {
  const [rows = []]: { Variable_name: string; Value: string }[][] = await database.raw(
    `show global variables where variable_name in (${names.map(() => '?').join(', ')})`,
    names,
  );
  return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}

async function readReplicaLag(database: Database): Promise<number> {
  const [[status] = []]: ReplicaStatus[][] = await database
    .raw('show replica status')
    .catch((error: unknown) => {
      if (!isAccessDenied(error)) throw error;
      throw new Error(
        'this user may not see the state of the replica; grant it REPLICA MONITOR (MariaDB) or REPLICATION CLIENT (MySQL)',
        { cause: error },
      );
    });
  if (!status) throw new Error('the database is read-only, and replicates from no server');
  const receives = status.Replica_IO_Running ?? status.Slave_IO_Running;
  const applies = status.Replica_SQL_Running ?? status.Slave_SQL_Running;
  const seconds = status.Seconds_Behind_Source ?? status.Seconds_Behind_Master;
  if (receives !== 'Yes') throw new Error('the replica is not connected to its primary');
  if (applies !== 'Yes' || typeof seconds !== 'number') {
    throw new Error('the replica does not apply what it receives');
  }
  return seconds * 1_000;
}
