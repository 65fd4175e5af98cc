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
