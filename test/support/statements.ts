import { StatementSync } from 'node:sqlite';

/** Polls of a server for the served edition, which go on beside requests. */
const POLL = /\bfrom `(?:served|archive)`/;

/** A statement, and the rows that it returned. */
export interface RunStatement {
  sql: string;
  rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The statements that SQLite runs in this thread during some work, without polls for the served edition.
 *
 * @param onStatement called after each
 */
export async function statementsDuring(
  work: () => Promise<unknown>,
  onStatement: (statement: RunStatement) => void = () => {},
): Promise<RunStatement[]> {
  const statements: RunStatement[] = [];
  const originals = (['all', 'run'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(StatementSync.prototype, name) ?? {}] as const,
  );
  for (const [name, original] of originals) {
    Object.defineProperty(StatementSync.prototype, name, {
      ...original,
      value(this: StatementSync, ...values: unknown[]) {
        const result: unknown = Reflect.apply(original.value, this, values);
        const statement = { sql: this.sourceSQL, rows: Array.isArray(result) ? result : [] };
        if (!POLL.test(statement.sql)) {
          statements.push(statement);
          onStatement(statement);
        }
        return result;
      },
    });
  }
  try {
    await work();
  } finally {
    for (const [name, original] of originals) Object.defineProperty(StatementSync.prototype, name, original);
  }
  return statements;
}
