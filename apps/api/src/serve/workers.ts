import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { NodeState } from '../edition/follow-editions.ts';
import { aborted, listenToAdmins, type ServeContext, serveHere, stop } from './serve-here.ts';

/** A message from a worker to the primary process. */
export type FromWorker =
  /** Sent when it changes, and every second, so that a worker that hangs is noticed. */
  | { type: 'archive:state'; state: NodeState }
  /** The worker has an edition ready, and waits for the others. */
  | { type: 'archive:prepared'; edition: number };

/** A message to a worker: serve an edition from a time (milliseconds since 1970). */
export interface ToWorker {
  type: 'archive:switch';
  edition: number;
  at: number;
}

/** Timeout of a worker that waits for the others. */
const PATIENCE_MILLISECONDS = 5_000;

/** Delay between the message and the switch, so that every worker has received it. */
const NOTICE_MILLISECONDS = 50;

/** A channel between a worker and the primary process. */
export interface Channel<Sent, Received> {
  send(message: Sent): void;
  /** @returns a function that removes the listener */
  listen(onMessage: (message: Received) => void): () => void;
}

/**
 * Waits until all workers are ready to serve an edition, so that they switch at the same time. Otherwise, consecutive
 * requests to different workers could alternate between the old and the new edition.
 */
export async function awaitOtherWorkers(
  channel: Channel<FromWorker, ToWorker>,
  edition: number,
): Promise<void> {
  const { promise: switched, resolve } = Promise.withResolvers<ToWorker>();
  const stopListening = channel.listen((message) => {
    if (message.type === 'archive:switch' && message.edition === edition) resolve(message);
  });
  const patience = new AbortController();
  try {
    channel.send({ type: 'archive:prepared', edition });
    const giveUp = sleep(PATIENCE_MILLISECONDS, undefined, { signal: patience.signal, ref: false });
    const message = await Promise.race([switched, giveUp.catch(() => undefined)]);
    if (message) await sleep(message.at - Date.now());
  } finally {
    patience.abort();
    stopListening();
  }
}

/** Tracks which workers are ready for which edition, to find when all are. */
export class Preparations<Worker> {
  readonly #ready = new Map<number, Set<Worker>>();

  /** @returns the time to switch, if all workers of `serving` are ready now */
  note(edition: number, worker: Worker, serving: readonly Worker[]): number | undefined {
    const ready = this.#ready.get(edition) ?? new Set<Worker>();
    this.#ready.set(edition, ready.add(worker));
    return this.#momentOf(edition, serving);
  }

  /** Removes a worker that has died. @returns the editions that all other workers are ready for, and the time to switch */
  drop(worker: Worker, serving: readonly Worker[]): { edition: number; at: number }[] {
    for (const ready of this.#ready.values()) ready.delete(worker);
    return [...this.#ready.keys()].flatMap((edition) => {
      const at = this.#momentOf(edition, serving);
      return at === undefined ? [] : [{ edition, at }];
    });
  }

  #momentOf(edition: number, serving: readonly Worker[]): number | undefined {
    const ready = this.#ready.get(edition);
    if (!ready || ready.size === 0 || !serving.every((worker) => ready.has(worker))) return undefined;
    this.#ready.delete(edition);
    return Date.now() + NOTICE_MILLISECONDS;
  }
}

/** Interval at which a worker reports, changes aside. */
const REPORT_MILLISECONDS = 1_000;

/** A worker that has reported and does not for this many intervals is killed. */
const MOST_MISSED = 10;

/** A worker that dies within this time is restarted after the same time. */
const QUICK_DEATH_MILLISECONDS = 1_000;

/**
 * Starts worker processes that share one port and run the same command, and replaces those that die or hang. Workers
 * switch editions at the same time. A stop signal is passed on to the workers, which are awaited.
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
  const states = new Map<Worker, NodeState | undefined>();
  /** Missed reports of each worker, from its first report. */
  const missed = new Map<Worker, number>();
  const preparations = new Preparations<Worker>();
  const failed = Promise.withResolvers<never>();

  /** The workers that serve an edition; a new worker starts with the newest. */
  const serving = () => [...states].filter(([, state]) => state?.served != null).map(([worker]) => worker);
  const switchTo = (edition: number, at: number) => {
    const message: ToWorker = { type: 'archive:switch', edition, at };
    for (const worker of states.keys()) if (worker.isConnected()) worker.send(message);
  };
  const onMessage = (worker: Worker, message: FromWorker) => {
    if (message.type === 'archive:prepared') {
      const at = preparations.note(message.edition, worker, serving());
      if (at !== undefined) switchTo(message.edition, at);
    } else if (message.type === 'archive:state') {
      states.set(worker, message.state);
      const isReady =
        message.state.served !== null || message.state.reason === 'nothing has been published yet';
      missed.set(worker, 0);
      if (ready || !isReady) return;
      ready = true;
      onReady();
    }
  };
  const start = () => {
    if (stopping) return;
    const started = performance.now();
    const worker = cluster.fork();
    states.set(worker, undefined);
    worker.on('message', (message: FromWorker) => onMessage(worker, message));
    worker.once('exit', (code, killedBy) => {
      states.delete(worker);
      missed.delete(worker);
      for (const { edition, at } of preparations.drop(worker, serving())) switchTo(edition, at);
      if (stopping) return;
      if (!ready) failed.reject(new Error('a worker exited before it was ready; see its error above'));
      log.error({ worker: worker.process.pid, code, signal: killedBy }, 'a worker died; starting another');
      const livedLong = performance.now() - started > QUICK_DEATH_MILLISECONDS;
      setTimeout(start, livedLong ? 0 : QUICK_DEATH_MILLISECONDS);
    });
  };

  // Counted and not timed: after a pause of the whole machine, no report is late.
  const watch = setInterval(() => {
    for (const [worker, count] of missed) {
      missed.set(worker, count + 1);
      if (count < MOST_MISSED) continue;
      missed.delete(worker);
      log.error({ worker: worker.process.pid }, 'a worker does not answer; killing it');
      worker.process.kill('SIGKILL');
    }
  }, REPORT_MILLISECONDS);

  const servers: Server[] = [];
  if (config.adminPort !== undefined) {
    const { AggregatorRegistry } = await import('prom-client');
    const registry = new AggregatorRegistry();
    servers.push(
      await listenToAdmins(config, {
        state: () =>
          combineStates(
            [...states.values()].filter((state) => state !== undefined),
            count,
          ),
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
    clearInterval(watch);
    await Promise.all([...states.keys()].map((worker) => stopWorker(worker, config.stopMilliseconds)));
    await Promise.all(servers.map((server) => stop(server, 0)));
  }
}

/** Stops a worker, and kills it after the timeout. */
async function stopWorker(worker: Worker, milliseconds: number): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const impatience = setTimeout(() => worker.process.kill('SIGKILL'), milliseconds + 2_000);
  await exited;
  clearTimeout(impatience);
}

/** The combined state of workers: ready if all are, with the editions that all have open. */
export function combineStates(states: readonly NodeState[], expected: number): NodeState {
  const [first, ...others] = states;
  if (!first || states.length < expected) {
    return {
      ready: false,
      reason: `${states.length} of ${expected} workers are running`,
      served: null,
      editions: [],
    };
  }
  const unready = states.find(({ ready }) => !ready);
  return {
    ready: !unready,
    ...(unready?.reason !== undefined && { reason: unready.reason }),
    served: others.every(({ served }) => served === first.served) ? first.served : null,
    editions: first.editions.filter((id) => others.every(({ editions }) => editions.includes(id))),
  };
}

/** Interval at which a worker checks whether its state has changed. */
const LOOK_MILLISECONDS = 50;

/** Serves as a worker: switches editions together with the others, and reports its state to the primary process. */
export async function serveAsWorker(context: ServeContext, log: Logger): Promise<void> {
  const channel: Channel<FromWorker, ToWorker> = {
    send: (message) => {
      if (cluster.worker?.isConnected()) cluster.worker.send(message);
    },
    listen(onMessage) {
      cluster.worker?.on('message', onMessage);
      return () => cluster.worker?.off('message', onMessage);
    },
  };
  let report = () => {};
  try {
    await serveHere(context, log, {
      // At once: until a worker has reported that it is ready, the death of another one ends the server.
      onReady: () => report(),
      beforeSwitch: ({ id }) => awaitOtherWorkers(channel, id),
      onListening: async ({ editions, metrics }) => {
        if (metrics) {
          const { AggregatorRegistry } = await import('prom-client');
          AggregatorRegistry.setRegistries([metrics.registry]);
          new AggregatorRegistry();
        }
        let sent = { text: '', at: 0 };
        report = () => {
          const state = editions.state();
          const text = JSON.stringify(state);
          const now = performance.now();
          if (text === sent.text && now - sent.at < REPORT_MILLISECONDS) return;
          channel.send({ type: 'archive:state', state });
          sent = { text, at: now };
        };
        const timer = setInterval(report, LOOK_MILLISECONDS);
        return () => clearInterval(timer);
      },
    });
  } finally {
    // Otherwise the process would not exit.
    cluster.worker?.disconnect();
  }
}
