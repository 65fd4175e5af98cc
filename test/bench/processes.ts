import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BARE_ENVIRONMENT, type Settings, settingsFor } from '../support/api-process.ts';
import type { DatabasePlace } from '../support/create-database.ts';
import { freePort } from '../support/free-port.ts';
import { peakMemory, writtenMegabytes } from '../support/memory.ts';
import { processorTimeOfEnded } from './processor-time.ts';

const START_SECONDS = 60;

/** The cost of a program that ran to its end. */
export interface Cost {
  seconds: number;
  cpuSeconds: number;
  /** Peak resident memory, in MB. */
  memory: number;
  /** MB that it has written to files. */
  written: number;
}

/**
 * Runs a Node program to its end. Only one at a time: its cost is what the ended children of this process have taken.
 *
 * @throws Error with its output if it fails
 */
export async function runMeasured(args: readonly string[], settings: Settings = {}): Promise<Cost> {
  const before = { cpu: processorTimeOfEnded(), written: writtenMegabytes(process.pid) };
  const started = performance.now();
  const env = { ...BARE_ENVIRONMENT, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, peakMemory(child.pid ?? 0));
  }, 20);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${errors}`);
  return {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (processorTimeOfEnded() - before.cpu) / 1000,
    memory,
    written: writtenMegabytes(process.pid) - before.written,
  };
}

/** A server under measurement. */
export interface RunningServer {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port, and waits until it answers.
 *
 * @param path of a page that answers 200 once it serves
 * @param start starts the program, which listens on the port of the loopback address
 * @throws Error if it ends, or does not answer in a minute
 */
export async function startServer(
  path: string,
  start: (port: number) => ChildProcess,
): Promise<RunningServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = start(port);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (hasEnded()) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  const ends = performance.now() + START_SECONDS * 1000;
  while (!(await isAnswered(origin + path))) {
    if (hasEnded() || performance.now() > ends) {
      await stop();
      throw new Error(`${child.spawnargs.join(' ')}: no answer to ${path}`);
    }
    await sleep(10);
  }
  return { origin, pid: child.pid ?? 0, stop };
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Starts archive-api on a database with an edition. */
export function startApi(
  program: string,
  database: DatabasePlace,
  more: Settings = {},
): Promise<RunningServer> {
  return startServer('/health', (port) => {
    const address = { PORT: `${port}`, BASE_URL: `http://127.0.0.1:${port}` };
    const settings = settingsFor(database, { ...address, LOG_LEVEL: 'error', ...more });
    const env = { ...BARE_ENVIRONMENT, ...settings };
    return spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  });
}

const BARE_SERVER = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/** Starts the bare server that sends `bodyFile` with `headers`. */
export function startBareServer(bodyFile: string, headers: Record<string, string>): Promise<RunningServer> {
  return startServer('/', (port) => {
    const args = [BARE_SERVER, `${port}`, bodyFile, JSON.stringify(headers)];
    return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  });
}
