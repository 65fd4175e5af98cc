import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { publishHere } from './api-here.ts';
import { type Ended, type Running, settingsFor, startProcess } from './api-process.ts';
import { openDatabase } from './database-of.ts';
import type { TestDatabase } from './test-database.ts';

/** What is loaded before a program that is killed or stopped at a statement. */
export const KILL_AT = fileURLToPath(new URL('./kill-at.ts', import.meta.url));

/** Before or after which statement a process is killed or stopped: its number, from 1, or a text that it has. */
export interface Struck {
  at?: number;
  like?: string;
  when: 'before' | 'after';
}

/** How long a process that was continued may take to end, in milliseconds. */
const END_MILLISECONDS = 120_000;

/** Starts archive-api as a process that gets a signal at a statement, if it gets that far. */
export function startStruck(
  database: TestDatabase,
  args: readonly string[],
  { at, like, when }: Struck,
  signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
): Running {
  const which = like === undefined ? { KILL_AT: String(at) } : { KILL_LIKE: like };
  const environment = { NODE_OPTIONS: `--import=${KILL_AT}`, KILL_WHEN: when, KILL_SIGNAL: signal, ...which };
  return startProcess(args, settingsFor(database, environment));
}

/** Lets the next process have the leases of one that does not renew them at once. */
export async function expireLeases(prepared: TestDatabase): Promise<void> {
  const database = openDatabase(prepared);
  if (await database.schema.hasTable('leases')) await database('leases').update({ until: 0 });
  await database.destroy();
}

/**
 * Runs a command in a process that is stopped at a statement until another has taken over its lease and published a bundle,
 * keeping two editions.
 *
 * @returns how it ended, and whether it got as far as that statement
 * @throws Error with its output if it does not end after that
 */
export async function publishDuring(
  database: TestDatabase,
  args: readonly string[],
  struck: Struck,
  bundle: string,
): Promise<Ended & { isStopped: boolean }> {
  const { said, stderr, kill, ended } = startStruck(database, args, struck, 'SIGSTOP');
  const isStopped = await said(/stopping/).then(
    () => true,
    () => false,
  );
  if (!isStopped) return { ...(await ended), isStopped };
  await expireLeases(database);
  await publishHere(database, bundle, ['--keep', '2']);
  // Again and again: on a busy machine a process may say that it stops long before it does.
  const waking = setInterval(() => kill('SIGCONT'), 100);
  const late = sleep(END_MILLISECONDS, undefined, { ref: false }).then(() => {
    throw new Error(`archive-api ${args.join(' ')} was continued, and has not ended:\n${stderr()}`);
  });
  try {
    return { ...(await Promise.race([ended, late])), isStopped };
  } finally {
    clearInterval(waking);
  }
}
