import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ARCHIVE_API, type Settings, settingsFor, startProcess } from '../support/api-process.ts';
import type { TestDatabase } from '../support/create-database.ts';
import { peakMemory, writtenMegabytes } from '../support/memory.ts';
import { processorTime } from './processor-time.ts';

/** A program that is measured. */
export interface Program {
  /** Its archive-api.js. */
  file: string;
  settings: Settings;
}

const THIS: Program = { file: ARCHIVE_API, settings: {} };

/** A server under measurement. */
export interface MeasuredServer {
  origin: string;
  /** Peak resident memory so far, in MB. */
  peakMemory(): number;
  /** CPU time of all its processes so far, in milliseconds. */
  processorTime(): number;
  stop(): Promise<void>;
}

/**
 * Starts the API on a database with an edition; measures the seconds until it listens.
 *
 * @param program the program of another checkout instead of this one
 */
export async function startMeasuredApi(
  database: TestDatabase,
  args: readonly string[] = [],
  { file, settings: own } = THIS,
): Promise<MeasuredServer & { startSeconds: number }> {
  const started = performance.now();
  const settings = settingsFor(database, { PORT: '0', LOG_LEVEL: 'info', ...own });
  const running = startProcess(['serve', ...args], settings, [], file);
  const [, port = ''] = await running.said(/"port":(\d+).*"msg":"listening"/);
  return {
    origin: `http://127.0.0.1:${port}`,
    startSeconds: (performance.now() - started) / 1000,
    peakMemory: () => peakMemory(running.pid),
    processorTime: () => processorTime(running.pid),
    stop: async () => {
      running.kill('SIGTERM');
      await running.ended;
    },
  };
}

/** The cost of a publish. */
export interface MeasuredPublish {
  seconds: number;
  /** Peak resident memory, in MB. */
  peakMemory: number;
  /** MB that the process has written to disks; on MySQL and MariaDB these are the derived files alone. */
  written: number;
}

/**
 * Publishes a bundle in a separate process.
 *
 * @param program the program of another checkout instead of this one
 * @throws Error if it fails
 */
export async function measurePublish(
  database: TestDatabase,
  bundle: string,
  { file, settings } = THIS,
): Promise<MeasuredPublish> {
  const started = performance.now();
  const running = startProcess(['publish', bundle], settingsFor(database, settings), [], file);
  let peak = 0;
  let written = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMemory(running.pid));
    written = Math.max(written, writtenMegabytes(running.pid));
  }, 50);
  const { code, stderr } = await running.ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`publish failed: ${stderr}`);
  return { seconds: (performance.now() - started) / 1000, peakMemory: peak, written };
}

const BARE_SERVER = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/** Starts the bare server that sends `bodyFile` with `headers`. */
export async function startBareServer(
  bodyFile: string,
  headers: Record<string, string>,
): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [BARE_SERVER, bodyFile, JSON.stringify(headers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const port = /port (\d+)/.exec(String(line))?.[1];
  return { origin: `http://127.0.0.1:${port}`, stop: () => stopChild(child) };
}

/** Stops a running process, and waits until it has ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
