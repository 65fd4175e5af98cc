import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program: kills it at statement number `KILL_AT`, or at the first that has the text `KILL_LIKE`, before it is sent
 * (`KILL_WHEN=before`) or after its response. With the `KILL_SIGNAL` SIGSTOP it says on stderr that it stops; it does so when the lease is
 * not being renewed, and at a number, when no transaction is open, as their locks would keep others out. Without these, the statements are written to the file
 * `STATEMENTS`, a line for each, at the end.
 */
const { KILL_AT = '0', KILL_LIKE, KILL_WHEN, KILL_SIGNAL = 'SIGKILL', STATEMENTS: file } = process.env;
const killAt = Number(KILL_AT);
const isBefore = KILL_WHEN === 'before';

const statements: string[] = [];
/** Number of transactions that have begun, and have not been committed or rolled back. */
let open = 0;
/** Number of renewals of the lease that have been sent and not been answered. */
let renewals = 0;
/** Whether the signal is to be sent as soon as possible. */
let isDue = false;

function begin(sql: unknown): void {
  const text = String(sql);
  statements.push(text);
  isDue ||= statements.length === killAt || (KILL_LIKE !== undefined && text.includes(KILL_LIKE));
  if (isBefore) strike();
  if (text.includes('`leases`')) renewals += 1;
  if (/^begin;?$/i.test(text)) open += 1;
  if (/^(?:commit|rollback);?$/i.test(text)) open -= 1;
}

function end(sql: unknown): void {
  if (String(sql).includes('`leases`')) renewals -= 1;
  strike();
}

function strike(): void {
  const mustWait = KILL_SIGNAL === 'SIGSTOP' && (renewals > 0 || (KILL_LIKE === undefined && open > 0));
  if (!isDue || mustWait) return;
  isDue = false;
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
      const sql = sqlOf(this, values[0]);
      begin(sql);
      const result = Reflect.apply(run, this, values);
      end(sql);
      return result;
    },
  });
}

if (isMainThread) {
  for (const name of ['all', 'get', 'run'])
    watch(StatementSync.prototype, name, (self) => (self as StatementSync).sourceSQL);
  watch(DatabaseSync.prototype, 'exec', (_, sql) => sql);
  subscribe('tracing:mysql2:query:start', (message) => begin((message as { query: string }).query));
  subscribe('tracing:mysql2:query:asyncStart', (message) => end((message as { query: string }).query));
  if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify(statements)));
}
