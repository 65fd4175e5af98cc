import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DatabasePlace } from './create-database.ts';
import { endAtLast } from './leftovers.ts';

/** The program, as a newcomer starts it. */
export const ARCHIVE_API = fileURLToPath(new URL('../../apps/api/bin/archive-api.js', import.meta.url));

/** Environment variables of the tests that a program gets. */
export const BARE_ENVIRONMENT = {
  PATH: process.env['PATH'],
  TMPDIR: process.env['TMPDIR'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** Settings of archive-api, as environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** How a program ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A running program. */
export interface Running {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves when its output, on either stream, matches. @throws Error if it ends before that */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

/** The settings for a database, without the environment of the tests. */
export function settingsFor(database: DatabasePlace, more: Settings = {}): Settings {
  return {
    DATABASE_URL: database.url,
    DERIVED_DIR: join(database.folder, 'derived'),
    BASE_URL: 'http://unused.test',
    ...more,
  };
}

/**
 * Starts archive-api.
 *
 * @param within a program that starts it, with its arguments
 * @param file the program itself, such as that of another checkout
 */
export function startProcess(
  args: readonly string[],
  settings: Settings,
  within: readonly string[] = [],
  file = ARCHIVE_API,
): Running {
  const [program = '', ...rest] = [...within, process.execPath, file, ...args];
  const child = spawn(program, rest, {
    env: { ...BARE_ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const collect = (name: 'stdout' | 'stderr') => {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const listener of listeners) listener();
    });
  };
  collect('stdout');
  collect('stderr');
  const ended = waitForEnd(child, said);
  const forget = endAtLast(() => {
    child.kill('SIGKILL');
    return ended;
  });
  void ended.then(forget);
  return {
    pid: child.pid ?? 0,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(said.stdout) ?? pattern.exec(said.stderr);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(({ code, signal }) => {
          const how = `archive-api ${args.join(' ')} ended (${code ?? signal}) without saying ${pattern}`;
          reject(new Error(`${how}:\n${said.stdout}\n${said.stderr}`));
        });
      }),
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/**
 * Waits until a running program answers a GET of `url` with 200.
 *
 * @throws Error with its output if it ends before that
 */
export async function untilAnswer(
  { ended, stdout, stderr }: Pick<Running, 'ended' | 'stdout' | 'stderr'>,
  url: string,
): Promise<void> {
  let hasEnded = false;
  void ended.finally(() => {
    hasEnded = true;
  });
  for (;;) {
    const response = await fetch(url, { redirect: 'manual' }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    if (hasEnded) throw new Error(`archive-api ended before ${url} was 200:\n${stdout()}\n${stderr()}`);
    await sleep(20);
  }
}

/** Runs archive-api until it ends. */
export function runApi(args: readonly string[], settings: Settings = {}): Promise<Ended> {
  return startProcess(args, settings).ended;
}

/** Publishes a bundle in a separate process. @throws Error with the output of the program if that fails */
export async function publishBundle(
  database: DatabasePlace,
  bundle: string,
  args: readonly string[] = [],
): Promise<Ended> {
  return publishBy(runApi, database, bundle, args);
}

/**
 * Publishes a bundle as a new edition, even if its content is already served.
 *
 * @param run runs a command of archive-api
 * @throws Error with the output of the command if that fails
 */
export async function publishBy<Came extends { code: number | null; stdout: string; stderr: string }>(
  run: (args: readonly string[], settings: Settings) => Promise<Came>,
  database: DatabasePlace,
  bundle: string,
  args: readonly string[],
  settings?: Settings,
): Promise<Came> {
  const came = await run(['publish', bundle, '--force', ...args], settingsFor(database, settings));
  if (came.code !== 0) throw new Error(`publish failed (${came.code}): ${came.stdout}${came.stderr}`);
  return came;
}

async function waitForEnd(child: ChildProcess, said: { stdout: string; stderr: string }): Promise<Ended> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...said };
}
