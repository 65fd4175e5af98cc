import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program: kills it at statement number `KILL_AT`, or at the first that has the text `KILL_LIKE`, before it is sent
 * (`KILL_WHEN=before`) or after its response; with the signal SIGSTOP it says on stderr that it stops. Without these, the
 * statements are written to the file `STATEMENTS`, a line for each, at the end.
 */
const { KILL_LIKE, KILL_WHEN, KILL_SIGNAL = 'SIGKILL', STATEMENTS: file } = process.env;
let killAt = Number(process.env['KILL_AT'] ?? 0);
const isBefore = KILL_WHEN === 'before';

const statements: string[] = [];

function begin(sql: unknown): void {
  statements.push(String(sql));
  if (killAt === 0 && KILL_LIKE !== undefined && String(sql).includes(KILL_LIKE)) killAt = statements.length;
  if (isBefore && statements.length === killAt) strike();
}

function end(): void {
  if (!isBefore && statements.length === killAt) strike();
}

function strike(): void {
  killAt = -1;
  if (KILL_SIGNAL === 'SIGSTOP') writeSync(2, 'stopping\n');
  process.kill(process.pid, KILL_SIGNAL);
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
