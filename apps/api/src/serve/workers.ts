import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { NodeState } from '../edition/follow-editions.ts';
import { aborted, listenToAdmins, type ServeContext, serveHere, stop } from './serve-here.ts';

/** Sent by a worker at an interval, so that a worker that hangs is noticed. */
interface FromWorker {
  type: 'archive:state';
  state: NodeState;
}

/**
 * Time from the moment at which an edition is served in the database to the switch of each worker, in milliseconds: by then
 * all have seen it and opened its index. Otherwise, consecutive requests to different workers could alternate between the
 * old and the new edition.
 */
const SWITCH_MILLISECONDS = 750;

/** Interval at which a worker reports its state. */
const REPORT_MILLISECONDS = 100;

/** Interval at which the primary process looks for workers that did not report since. */
const WATCH_MILLISECONDS = 1_000;

/** A worker that has reported and does not for this many intervals is killed. */
const MOST_MISSED = 10;

/** A worker that dies within this time is restarted after the same time. */
const QUICK_DEATH_MILLISECONDS = 1_000;

/**
 * Starts worker processes that share one port and run the same command, and replaces those that die or hang. Each follows
 * the editions by itself. A stop signal is passed on to the workers, which are awaited.
 *
 * @param onReady called once, when the first worker is ready
 * @throws Error if a worker exits before any is ready
 */
export async function serveWithWorkers(
  { config, signal }: ServeContext,
  count: number,
  log: Logger,
  onReady: () => void,
): Promise<void> {
  // Workers accept connections themselves: with round-robin, connections in transit to a killed worker would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let stopping = false;
  let ready = false;
  /** The last state of each worker, and the intervals without a report since. */
  const workers = new Map<Worker, { state?: NodeState; missed: number }>();
  const failed = Promise.withResolvers<never>();

  const onMessage = (worker: Worker, { type, state }: FromWorker) => {
    // prom-client sends messages too, and the last one of a worker may come after its end.
    if (type !== 'archive:state' || !workers.has(worker)) return;
    workers.set(worker, { state, missed: 0 });
    if (ready || (state.served === null && state.reason !== 'nothing has been published yet')) return;
    ready = true;
    onReady();
  };
  const start = () => {
    if (stopping) return;
    const started = performance.now();
    const worker = cluster.fork();
    workers.set(worker, { missed: 0 });
    worker.on('message', (message: FromWorker) => onMessage(worker, message));
    worker.once('exit', (code, killedBy) => {
      workers.delete(worker);
      if (stopping) return;
      if (!ready) failed.reject(new Error('a worker exited before it was ready; see its error above'));
      log.error({ worker: worker.process.pid, code, signal: killedBy }, 'a worker died; starting another');
      const livedLong = performance.now() - started > QUICK_DEATH_MILLISECONDS;
      setTimeout(start, livedLong ? 0 : QUICK_DEATH_MILLISECONDS);
    });
  };

  // Counted and not timed: after a pause of the whole machine, no report is late.
  using _watch = setInterval(() => {
    for (const [worker, { state, missed }] of workers) {
      workers.set(worker, { ...(state && { state }), missed: missed + 1 });
      if (!state || missed !== MOST_MISSED) continue;
      log.error({ worker: worker.process.pid }, 'a worker does not answer; killing it');
      worker.process.kill('SIGKILL');
    }
  }, WATCH_MILLISECONDS);

  const servers: Server[] = [];
  if (config.adminPort !== undefined) {
    const { AggregatorRegistry } = await import('prom-client');
    const registry = new AggregatorRegistry();
    servers.push(
      await listenToAdmins(config, {
        state: () => combineStates(workers.values(), count),
        metrics: () => registry.clusterMetrics(),
        metricsType: registry.contentType,
      }),
    );
  }
  for (let index = 0; index < count; index += 1) start();
  try {
    await Promise.race([aborted(signal), failed.promise]);
  } finally {
    stopping = true;
    await Promise.all([...workers.keys()].map((worker) => stopWorker(worker, config.stopMilliseconds)));
    await Promise.all(servers.map((server) => stop(server, 0)));
  }
}

/** Stops a worker, and kills it after the timeout. */
async function stopWorker(worker: Worker, milliseconds: number): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  using _timer = setTimeout(() => worker.process.kill('SIGKILL'), milliseconds + 2_000);
  await exited;
}

/** The combined state of workers: ready if all are, with the editions that all have open. */
function combineStates(workers: Iterable<{ state?: NodeState }>, expected: number): NodeState {
  const states = [...workers].flatMap(({ state }) => state ?? []);
  const [first, ...others] = states;
  if (!first || states.length < expected) {
    const reason = `${states.length} of ${expected} workers are running`;
    return { ready: false, reason, served: null, editions: [] };
  }
  const unready = states.find(({ ready }) => !ready);
  return {
    ready: !unready,
    ...(unready?.reason !== undefined && { reason: unready.reason }),
    served: others.every(({ served }) => served === first.served) ? first.served : null,
    editions: first.editions.filter((id) => others.every(({ editions }) => editions.includes(id))),
  };
}

/** Serves as a worker, and reports its state to the primary process. */
export async function serveAsWorker(context: ServeContext, log: Logger): Promise<void> {
  let report = () => {};
  try {
    await serveHere(context, log, {
      // At once: until a worker has reported that it is ready, the death of another one ends the server.
      onReady: () => report(),
      switchMilliseconds: SWITCH_MILLISECONDS,
      onListening: async ({ editions, metrics }) => {
        if (metrics) {
          const { AggregatorRegistry } = await import('prom-client');
          AggregatorRegistry.setRegistries([metrics.registry]);
          new AggregatorRegistry();
        }
        report = () => {
          const message: FromWorker = { type: 'archive:state', state: editions.state() };
          if (cluster.worker?.isConnected()) cluster.worker.send(message);
        };
        return setInterval(report, REPORT_MILLISECONDS);
      },
    });
  } finally {
    // Otherwise the process would not exit.
    cluster.worker?.disconnect();
  }
}
