import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program: kills it at statement number `KILL_AT`, before it is sent (`KILL_WHEN=before`) or after its
 * response. Without a number, the statements are written to the file `STATEMENTS`, a line for each, at the end.
 */
const killAt = Number(process.env['KILL_AT'] ?? 0);
const isBefore = process.env['KILL_WHEN'] === 'before';
const file = process.env['STATEMENTS'];

const statements: string[] = [];

function begin(sql: unknown): void {
  statements.push(String(sql));
  if (isBefore && statements.length === killAt) process.kill(process.pid, 'SIGKILL');
}

function end(): void {
  if (!isBefore && statements.length === killAt) process.kill(process.pid, 'SIGKILL');
}

/** Wraps a method that runs a statement. */
function watch(prototype: object, name: string, sqlOf: (self: unknown, first: unknown) => unknown): void {
  const method = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  const run: (...values: unknown[]) => unknown = method.value;
  Object.defineProperty(prototype, name, {
    ...method,
    value(this: unknown, ...values: unknown[]) {
      begin(sqlOf(this, values[0]));
      const result = Reflect.apply(run, this, values);
      end();
      return result;
    },
  });
}

if (isMainThread) {
  for (const name of ['all', 'get', 'run'])
    watch(StatementSync.prototype, name, (self) => (self as StatementSync).sourceSQL);
  watch(DatabaseSync.prototype, 'exec', (_, sql) => sql);
  subscribe('tracing:mysql2:query:start', (message) => begin((message as { query: string }).query));
  subscribe('tracing:mysql2:query:asyncStart', end);
  if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify(statements)));
}
