import { setTimeout as sleep } from 'node:timers/promises';

/** The database did not respond in time. */
export class DatabaseDeadlineError extends Error {
  override name = 'DatabaseDeadlineError';

  /** @param milliseconds the timeout */
  constructor(milliseconds: number) {
    super(`the database did not answer within ${milliseconds} ms`);
  }
}

/** Codes of a lost connection. */
const LOST = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'EPIPE',
  'ER_SERVER_SHUTDOWN',
  'ECONNABORTED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]);

/** Codes of a database that is unreachable, or temporarily refuses requests. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_LOCK_WAIT_TIMEOUT',
  // Galera: the node is not part of a cluster with a quorum.
  'ER_UNKNOWN_COM_ERROR',
]);

/** Message of mysql2, without a code, for a statement on a connection that was lost before it. */
const CLOSED = "Can't add new command when connection is in closed state";

/** Whether a statement failed because its connection was lost. */
export function isConnectionLost(error: unknown): boolean {
  return LOST.has(codeOf(error)) || (error instanceof Error && error.message.endsWith(CLOSED));
}

/**
 * Whether a statement failed because the database is temporarily unavailable, so that a retry may succeed. Any other
 * error is a bug.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseDeadlineError) return true;
  if (error instanceof Error && error.name === 'KnexTimeoutError') return true;
  const code = codeOf(error);
  if (code === 'ERR_SQLITE_ERROR') return /database is locked/.test(String(error));
  return isConnectionLost(error) || UNREACHABLE.has(code);
}

/** Codes of MySQL and MariaDB for a statement that the user has no right to. */
const DENIED = new Set([
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
]);

/** Whether the user of the database lacks the right to a statement. */
export function isAccessDenied(error: unknown): error is Error {
  return error instanceof Error && DENIED.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** SQLite codes (the low byte of the extended ones) for errors of the file rather than the statement. */
const OF_THE_FILE: ReadonlySet<number> = new Set([8, 10, 11, 13, 14, 26]);

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
  const isOfTheFile = 'errcode' in error && OF_THE_FILE.has(Number(error.errcode) & 0xff);
  error.message = isOfTheFile ? `DATABASE_URL: ${where}: ${cause}` : cause;
  Object.assign(error, { sql: sql.slice(0, SHOWN) });
}

/** Maximum number of attempts for a transaction. */
const ATTEMPTS = 20;

/** Maximum pause between attempts, in milliseconds. */
const LONGEST_PAUSE = 500;

/**
 * Codes of MySQL, MariaDB and Galera for a conflict with another transaction: a deadlock or failed certification, a lock
 * timeout, a row that changed since the snapshot.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']);

/** SQLITE_BUSY, in the low byte of its extended codes. */
const SQLITE_BUSY = 5;

/**
 * Retries `work`, a transaction, after a conflict with another one, which has rolled it back.
 *
 * @param options.afterCut whether to retry after a lost connection too, when it may have been committed
 * @param options.signal stops retrying
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  { afterCut = false, signal }: { afterCut?: boolean; signal?: AbortSignal } = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const passes = isConflict(error) || (afterCut && isConnectionLost(error));
      if (!passes || attempt === ATTEMPTS || signal?.aborted) throw error;
    }
    await sleep(Math.random() * Math.min(LONGEST_PAUSE, 10 * 2 ** attempt));
  }
}

/** Whether an error is a conflict with another transaction. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isBusy =
    'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY;
  return isBusy || ('code' in error && CONFLICTS.has(error.code));
}
