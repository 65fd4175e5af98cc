import { isIP, type Socket } from 'node:net';
import type { Knex } from 'knex';
import type { QueryObject } from 'knex/lib/dialects/mysql2/index.js';
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';
import type { Connection } from 'mysql2';
import type { TlsCheck } from '../config.ts';
import {
  DatabaseDeadlineError,
  explainOpening,
  isAccessDenied,
  isConnectionLost,
} from './database-errors.ts';
import { isSqlite } from './sqlite-client.ts';

/** Converts an address to options of the driver. */
export function toConnection(address: string, tls: TlsCheck | undefined) {
  const url = new URL(address);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charset: 'utf8mb4',
    timezone: 'Z',
    ...(tls && { ssl: { rejectUnauthorized: tls !== 'nothing', verifyIdentity: tls === 'identity' } }),
  };
}

/** The state of a connection. */
interface Standing {
  /** When the current statement started to wait for the connection (`performance.now()`). */
  since: number;
  inTransaction: boolean;
}

/** Kept outside the client, because Knex copies the client for transactions without its private fields. */
const connections = new WeakMap<Connection, Standing>();

/**
 * Knex's mysql2 client with a timeout for every wait. Acquiring a connection and executing the statement share
 * `acquireConnectionTimeout`; then the socket is destroyed, because a hanging server would not acknowledge a close. A
 * SELECT on a connection that was lost, as an idle one may be, is retried once.
 */
export class MysqlClient extends Mysql2Client {
  override async acquireConnection(): Promise<Connection> {
    const since = performance.now();
    const connection = await super.acquireConnection();
    connections.set(connection, { since, inTransaction: false });
    return connection;
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection: Connection & { stream?: Socket } = this.driver.createConnection(
      this.connectionSettings,
    );
    // The driver passes only names to TLS, which would verify an IP address as "localhost"; it looks here before.
    const { host = '' } = connection.config;
    if (connection.stream && isIP(host)) Object.assign(connection.stream, { _host: host });
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    // A lost idle connection emits an error event, which would crash the process without a listener.
    connection.on('error', () => destroy(connection));
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
    try {
      return await promise;
    } catch (error) {
      destroy(connection);
      const { host: server, port }: { host?: string; port?: number } = this.connectionSettings;
      throw explainOpening(error, `connect to ${server}:${port}`);
    }
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    destroy(connection);
  }

  override async _query(connection: Connection, query: QueryObject): Promise<QueryObject> {
    const standing = connections.get(connection);
    const since = standing?.since ?? performance.now();
    if (standing && /^\s*(?:begin|start)\b/i.test(query.sql)) standing.inTransaction = true;
    const answerOver = (over: Connection) =>
      withinLimit(super._query(over, query), over, since, this.config.acquireConnectionTimeout);
    try {
      return await answerOver(connection);
    } catch (error) {
      const mayRepeat = standing?.inTransaction === false && /^\s*select\b/i.test(query.sql);
      if (!mayRepeat || !isConnectionLost(error)) throw error;
    }
    // Uses a new connection, because all connections of the pool may be lost.
    const fresh = await this.acquireRawConnection();
    try {
      return await answerOver(fresh);
    } finally {
      destroy(fresh);
    }
  }
}

/** Waits for the result until `limit` ms after `since`; then destroys the connection. */
async function withinLimit(
  answer: Promise<QueryObject>,
  connection: Connection,
  since: number,
  limit: number | undefined,
): Promise<QueryObject> {
  if (limit === undefined) return await answer;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    reject(new DatabaseDeadlineError(limit));
    destroy(connection);
  };
  using _timer = setTimeout(giveUp, Math.max(0, since + limit - performance.now()));
  try {
    return await Promise.race([answer, late]);
  } finally {
    answer.catch(() => {});
  }
}

/** Destroys the socket too: mysql2's own `destroy` waits for the server to close it. */
function destroy(connection: Connection & { stream?: Socket }): void {
  connection.destroy();
  connection.stream?.destroy();
}

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
export async function confirmCurrent(database: Knex): Promise<number> {
  if (isSqlite(database)) return 0;
  const { wsrep_on: cluster, read_only: readOnly } = await readVariables(database, 'wsrep_on', 'read_only');
  if (cluster === 'ON') {
    await database.raw(READ_CAUSALLY);
    return 0;
  }
  return readOnly === 'OFF' ? 0 : await readReplicaLag(database);
}

/** Whether the database is a node of a Galera cluster. */
export async function isCluster(database: Knex): Promise<boolean> {
  return !isSqlite(database) && (await readVariables(database, 'wsrep_on'))['wsrep_on'] === 'ON';
}

/** The variables of a server by name, without those that it does not have. */
async function readVariables(database: Knex, ...names: string[]): Promise<Record<string, string>> {
  const [rows = []]: { Variable_name: string; Value: string }[][] = await database.raw(
    `show global variables where variable_name in (${names.map(() => '?').join(', ')})`,
    names,
  );
  return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}

async function readReplicaLag(database: Knex): Promise<number> {
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
