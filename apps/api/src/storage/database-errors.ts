/** The database did not respond in time. */
export class DatabaseDeadlineError extends Error {
  override name = 'DatabaseDeadlineError';

  /** @param milliseconds the timeout */
  constructor(milliseconds: number) {
    super(`the database did not answer within ${milliseconds} ms`);
  }
}

/** What the codes of errors mean: of Node, of mysql2, and of MySQL, MariaDB and Galera. */
const CODES = {
  lost: [
    ...['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ER_SERVER_SHUTDOWN', 'ECONNABORTED'],
    'ER_CLIENT_INTERACTION_TIMEOUT',
  ],
  /** The database is unreachable, or temporarily refuses requests; the last: its node of Galera is in no cluster with a quorum. */
  unreachable: [
    ...['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', 'ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS'],
    ...['ER_LOCK_WAIT_TIMEOUT', 'ER_UNKNOWN_COM_ERROR'],
  ],
  denied: ['ER_TABLEACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_SPECIFIC_ACCESS_DENIED_ERROR'],
  /** A deadlock or failed certification, a lock timeout, a row that changed since the snapshot. */
  conflict: ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'],
} as const satisfies Record<string, readonly string[]>;

function hasCode(error: unknown, meaning: keyof typeof CODES): boolean {
  const codes: readonly unknown[] = CODES[meaning];
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}

/** The code of SQLite, without what extends it; undefined for other errors. */
function sqliteCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

/** Whether another process has locked the file of SQLite. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === 5;
}

/** Whether the disk of a file of SQLite is full. */
export function isDiskFull(error: unknown): boolean {
  return sqliteCodeOf(error) === 13;
}

/** Codes of SQLite for errors of the file rather than the statement. */
const OF_THE_FILE = [8, 10, 11, 13, 14, 26];

/** Whether a transaction failed because of another one, which has rolled it back. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 'conflict') || isBusy(error);
}

/** Message of mysql2, without a code, for a statement on a connection that was lost before it. */
const CLOSED = "Can't add new command when connection is in closed state";

/** Whether a statement failed because its connection was lost. */
export function isConnectionLost(error: unknown): boolean {
  return hasCode(error, 'lost') || (error instanceof Error && error.message.endsWith(CLOSED));
}

/**
 * Whether a statement failed because the database is temporarily unavailable, so that a retry may succeed. Any other
 * error is a bug.
 */
export function isOutage(error: unknown): boolean {
  const isLate = error instanceof DatabaseDeadlineError;
  if (isLate || (error instanceof Error && error.name === 'KnexTimeoutError')) return true;
  if (sqliteCodeOf(error) !== undefined) return /database is locked/.test(String(error));
  return isConnectionLost(error) || hasCode(error, 'unreachable');
}

/** Whether the user of the database lacks the right to a statement. */
export function isAccessDenied(error: unknown): error is Error {
  return hasCode(error, 'denied');
}

/** Maximum length of a statement in a log. */
const SHOWN = 300;

/**
 * Rewrites the message of an error to name the file or server that could not be opened, and its setting.
 *
 * @param what the failed action, such as `connect to 127.0.0.1:3306`
 * @returns the error
 */
export function explainOpening(error: unknown, what: string): unknown {
  if (!(error instanceof Error)) return error;
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = causes.map((cause) => (cause instanceof Error ? cause.message : String(cause)));
  error.message = `DATABASE_URL: cannot ${what}: ${messages.join('; ')}`;
  return error;
}

/**
 * Reduces the message of a failed statement to its cause, with the database if the file is to blame. Knex prefixes the
 * statement and the driver adds it as a property, with the values of whole records.
 *
 * @param sql the statement, with placeholders
 */
export function explainStatement(error: unknown, sql: string, where: string): void {
  if (!(error instanceof Error)) return;
  const prefix = `${sql} - `;
  const cause = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  error.message = OF_THE_FILE.includes(sqliteCodeOf(error) ?? 0) ? `DATABASE_URL: ${where}: ${cause}` : cause;
  Object.assign(error, { sql: sql.slice(0, SHOWN) });
}
