import type { Socket } from 'node:net';
import Mysql2Client, { type QueryObject } from 'knex/lib/dialects/mysql2/index.js';
import type { Connection } from 'mysql2';
import { explainOpening } from './explain-error.ts';
import { nameServer } from './mysql-connection.ts';
import { DatabaseDeadlineError, isConnectionLost } from './outage.ts';

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
