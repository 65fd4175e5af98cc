import { run } from '@archiefkast/archive-api';
import { publishBy, type Running, type Settings, settingsFor, untilAnswer } from './api-process.ts';
import type { DatabasePlace } from './create-database.ts';
import { freePort } from './free-port.ts';
import { endAtLast } from './leftovers.ts';

/** How a command of archive-api ended. */
export interface HereResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of archive-api in this process, which is faster than starting one. */
export async function runApiHere(args: readonly string[], settings: Settings = {}): Promise<HereResult> {
  const { ended, stdout, stderr } = startHere(args, settings);
  const { code } = await ended;
  return { code: code ?? 0, stdout: stdout(), stderr: stderr() };
}

/** Publishes a bundle in this process. @throws Error with the output of the command if that fails */
export async function publishHere(
  database: DatabasePlace,
  bundle: string,
  args: readonly string[] = [],
  settings?: Settings,
): Promise<HereResult> {
  return publishBy(runApiHere, database, bundle, args, settings);
}

/** A server in this process. */
export interface ServerHere {
  /** Its address: `http://127.0.0.1:<port>`. */
  origin: string;
  /** Stops it, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Serves a database in this process, which can then be observed; `/health` is 200. */
export async function serveHere(database: DatabasePlace, settings: Settings = {}): Promise<ServerHere> {
  const port = String(await freePort());
  const server = startHere(['serve'], settingsFor(database, { LOG_LEVEL: 'warn', ...settings, PORT: port }));
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    server.abort();
    await server.ended;
  };
  endAtLast(stop);
  await untilAnswer(server, `${origin}/health`);
  return { origin, stop };
}

function startHere(
  args: readonly string[],
  environment: Settings,
): Pick<Running, 'ended' | 'stdout' | 'stderr'> & { abort(): void } {
  const said = { stdout: '', stderr: '' };
  const stop = new AbortController();
  const code = run({
    arguments: args,
    environment,
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    signal: stop.signal,
  });
  return {
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    abort: () => stop.abort(),
    ended: code.then((code) => ({ code, signal: null, ...said })),
  };
}
