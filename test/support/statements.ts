import { StatementSync } from 'node:sqlite';

/** Polls of a server for the served edition, which go on beside requests. */
const POLL = /\bfrom `(?:served|archive)`/;

const METHODS = ['all', 'get', 'run', 'iterate'] as const;

/** The SQL of the statements that SQLite runs in this thread during some work, without polls for the served edition. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const { prototype } = StatementSync;
  const originals = METHODS.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const);
  for (const [name, descriptor] of originals) {
    const run: (...values: unknown[]) => unknown = descriptor?.value;
    Object.defineProperty(prototype, name, {
      ...descriptor,
      value(this: StatementSync, ...values: unknown[]) {
        if (!POLL.test(this.sourceSQL)) statements.push(this.sourceSQL);
        return Reflect.apply(run, this, values);
      },
    });
  }
  try {
    await work();
  } finally {
    for (const [name, descriptor] of originals) Object.defineProperty(prototype, name, descriptor ?? {});
  }
  return statements;
}
