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
