import { setTimeout as sleep } from 'node:timers/promises';

/** The database did not answer in time. */
export class DatabaseDeadlineError extends Error {
  override name = 'DatabaseDeadlineError';

  /** @param milliseconds what it was given */
  constructor(milliseconds: number) {
    super(`the database did not answer within ${milliseconds} ms`);
  }
}

/** Codes of a connection that was there, and is no more. */
const LOST = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'EPIPE',
  'ER_SERVER_SHUTDOWN',
  'ECONNABORTED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]);

/** Codes of a database that cannot be reached, or does not take requests now. */
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

/** What mysql2 says, without a code, to a statement over a connection that was cut before it. */
const CLOSED = "Can't add new command when connection is in closed state";

/** Whether a statement failed because its connection was cut. */
export function isConnectionLost(error: unknown): boolean {
  return LOST.has(codeOf(error)) || (error instanceof Error && error.message.endsWith(CLOSED));
}

/**
 * Whether a statement failed because the database is out of reach: the same may well succeed in a moment. Everything
 * else is a fault.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseDeadlineError) return true;
  if (error instanceof Error && error.name === 'KnexTimeoutError') return true;
  const code = codeOf(error);
  if (code === 'ERR_SQLITE_ERROR') return /database is locked/.test(String(error));
  return isConnectionLost(error) || UNREACHABLE.has(code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Codes of SQLite (the low byte of its extended ones) that are about the file, whatever the statement. */
const OF_THE_FILE: ReadonlySet<number> = new Set([8, 10, 11, 13, 14, 26]);

/** Characters of a statement that a log shows. */
const SHOWN = 300;

/**
 * Makes the message of an error say which file or server could not be opened, and by which setting it is named.
 *
 * @param what what could not be done, such as `connect to 127.0.0.1:3306`
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
 * Makes the message of an error in a statement the cause alone, with the database where it is about the file. Knex puts
 * the statement before it, and the driver beside it, with the values of whole records.
 *
 * @param sql the statement, with marks for its values
 */
export function explainStatement(error: unknown, sql: string, where: string): void {
  if (!(error instanceof Error)) return;
  const prefix = `${sql} - `;
  const cause = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  const isOfTheFile = 'errcode' in error && OF_THE_FILE.has(Number(error.errcode) & 0xff);
  error.message = isOfTheFile ? `DATABASE_URL: ${where}: ${cause}` : cause;
  Object.assign(error, { sql: sql.slice(0, SHOWN) });
}

/** Attempts of one transaction. */
const ATTEMPTS = 20;

/** Most milliseconds between two of them. */
const LONGEST_PAUSE = 500;

/**
 * What MySQL, MariaDB and Galera say when another transaction was in the way: a deadlock (also a failed certification),
 * a lock that was not given in time, a row that changed since the snapshot.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']);

/** SQLITE_BUSY, in the low byte of its extended codes. */
const SQLITE_BUSY = 5;

/**
 * Does `work`, a transaction, again when it failed because of another one: such a transaction has done nothing.
 *
 * @param again.afterCut whether it may also be done again when the connection was cut, and it may have been done
 * @param again.signal aborted: the failure stands
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

/** Whether another transaction was in the way. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isBusy =
    'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY;
  return isBusy || ('code' in error && CONFLICTS.has(error.code));
}
