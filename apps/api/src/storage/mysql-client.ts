import { isIP, type Socket } from 'node:net';
import type { QueryObject } from 'knex/lib/dialects/mysql2/index.js';
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';
import type { Connection } from 'mysql2';
import type { TlsCheck } from '../config.ts';
import { DatabaseDeadlineError, explainOpening, isConnectionLost } from './database-errors.ts';

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
