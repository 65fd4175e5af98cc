import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';

/** A worker that dies sooner than this after its start waits as long before it is replaced. */
const QUICK_DEATH_MILLISECONDS = 1_000;

/** Whether this process is a worker that another one started. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Ends this worker's tie to the process that started it; without, it would not end. */
export function leaveWorkers(): void {
  cluster.worker?.disconnect();
}

/**
 * Starts worker processes that share one port, each running the command this process was started with, and
 * replaces one that dies. When `stopped` resolves, asks all to stop and waits until they have.
 *
 * @param onListening called once, when the first worker answers
 * @throws Error when a worker ends before any has answered
 */
export async function serveWithWorkers(
  count: number,
  stopped: Promise<void>,
  log: Logger,
  onListening: () => void,
): Promise<void> {
  let stopping = false;
  let listening = false;
  const workers = new Set<Worker>();
  const failed = Promise.withResolvers<never>();

  const start = () => {
    if (stopping) return;
    const started = performance.now();
    const worker = cluster.fork();
    workers.add(worker);
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      if (stopping) return;
      if (!listening)
        failed.reject(new Error('a worker ended before it could answer; see its message above'));
      log.error({ worker: worker.process.pid, code, signal }, 'a worker died; starting another');
      const livedLong = performance.now() - started > QUICK_DEATH_MILLISECONDS;
      setTimeout(start, livedLong ? 0 : QUICK_DEATH_MILLISECONDS);
    });
  };
  cluster.once('listening', () => {
    listening = true;
    onListening();
  });
  for (let index = 0; index < count; index += 1) start();

  try {
    await Promise.race([stopped, failed.promise]);
  } finally {
    stopping = true;
    await Promise.all([...workers].map(stopWorker));
  }
}

async function stopWorker(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  await exited;
}
