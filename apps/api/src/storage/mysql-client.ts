import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { QueryObject } from 'knex/lib/dialects/mysql2/index.js';
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';
import type { Connection, SslOptions } from 'mysql2';
import { DatabaseDeadlineError, explainOpening, isConnectionLost } from './database-errors.ts';
import type { TlsOptions } from './database-url.ts';

/** How a MySQL or MariaDB server is connected to. */
interface MysqlConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl?: SslOptions;
}

/** What the driver is told of the address of a server. @throws Error naming a certificate that cannot be read */
export function toConnection(address: string, tls: TlsOptions | undefined): MysqlConnection {
  const url = new URL(address);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(tls && { ssl: toSsl(tls) }),
  };
}

function toSsl({ verify, ca, cert, key }: TlsOptions): SslOptions {
  return {
    rejectUnauthorized: verify !== 'nothing',
    verifyIdentity: verify === 'identity',
    ...(ca !== undefined && { ca: readPem('ssl-ca', ca) }),
    ...(cert !== undefined && { cert: readPem('ssl-cert', cert) }),
    ...(key !== undefined && { key: readPem('ssl-key', key) }),
  };
}

function readPem(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`DATABASE_URL: ${option}: ${file} cannot be read: ${cause}`, { cause: error });
  }
}

/** The server as people write it. */
function nameServer({ host, port }: { host?: unknown; port?: unknown }): string {
  return `${host}:${port}`;
}

/** A connection, and what is known of it here. */
interface Standing {
  /** When the statement that has it began to wait for it (`performance.now()`). */
  since: number;
  /** Whether it has answered before: then it may have been cut while it was idle. */
  hasAnswered: boolean;
  inTransaction: boolean;
}

/** Outside of the client: Knex makes copies of it for transactions, which see nothing that is private to it. */
const connections = new WeakMap<Connection, Standing>();

/**
 * Knex's mysql2 client with an end to every wait. Waiting for a connection of the pool and for the answer take
 * `acquireConnectionTimeout` together; then the connection's socket is destroyed, for a server that hangs answers no
 * farewell either. A statement that reads, over a connection that was cut while it was idle, is tried again once.
 */
export class MysqlClient extends Mysql2Client {
  override async acquireConnection(): Promise<Connection> {
    const since = performance.now();
    const connection = await super.acquireConnection();
    const hasAnswered = connections.get(connection)?.hasAnswered ?? false;
    connections.set(connection, { since, hasAnswered, inTransaction: false });
    return connection;
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection: Connection = this.driver.createConnection(this.connectionSettings);
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    // An idle connection that is cut says so by an event, which nobody may be listening to otherwise.
    connection.on('error', () => destroy(connection));
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
    try {
      return await promise;
    } catch (error) {
      destroy(connection);
      throw explainOpening(error, `connect to ${nameServer(this.connectionSettings)}`);
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
      const answered = await answerOver(connection);
      if (standing) standing.hasAnswered = true;
      return answered;
    } catch (error) {
      const mayRepeat = standing?.hasAnswered && !standing.inTransaction && /^\s*select\b/i.test(query.sql);
      if (!mayRepeat || !isConnectionLost(error)) throw error;
    }
    // Over a connection of its own: the pool may have nothing but connections that were cut.
    const fresh = await this.acquireRawConnection();
    try {
      return await answerOver(fresh);
    } finally {
      destroy(fresh);
    }
  }
}

/** The answer, if it comes before the time is up that began at `since`; then the connection ends. */
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
  const timer = setTimeout(giveUp, Math.max(0, since + limit - performance.now()));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

/** mysql2's own `destroy` says goodbye and waits for the other side to hang up. */
function destroy(connection: Connection & { stream?: Socket }): void {
  connection.destroy();
  connection.stream?.destroy();
}
