import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { NodeState } from '../edition/follow-editions.ts';
import { aborted, listenToAdmins, type ServeContext, serveHere, stop } from './serve-here.ts';

/** What a worker tells the process that started it. */
export type FromWorker =
  | { type: 'archive:state'; state: NodeState }
  /** It has made an edition ready, and waits for the others. */
  | { type: 'archive:prepared'; edition: number };

/** What a worker is told: to serve an edition from a moment on (milliseconds since 1970). */
export interface ToWorker {
  type: 'archive:switch';
  edition: number;
  at: number;
}

/** A worker waits no longer than this for the others. */
const PATIENCE_MILLISECONDS = 5_000;

/** Between the word and the switch, so that every worker has heard it. */
const NOTICE_MILLISECONDS = 50;

/** A channel between a worker and the process that started it. */
export interface Channel<Sent, Received> {
  send(message: Sent): void;
  /** @returns what ends the listening */
  listen(onMessage: (message: Received) => void): () => void;
}

/**
 * Waits until all workers are ready to serve an edition, so that they switch at the same moment: requests that go to
 * one worker and another by turns would else see the old edition and the new one by turns.
 */
export async function awaitOtherWorkers(
  channel: Channel<FromWorker, ToWorker>,
  edition: number,
): Promise<void> {
  const { promise: told, resolve } = Promise.withResolvers<ToWorker>();
  const stopListening = channel.listen((message) => {
    if (message.type === 'archive:switch' && message.edition === edition) resolve(message);
  });
  const patience = new AbortController();
  try {
    channel.send({ type: 'archive:prepared', edition });
    const giveUp = sleep(PATIENCE_MILLISECONDS, undefined, { signal: patience.signal, ref: false });
    const word = await Promise.race([told, giveUp.catch(() => undefined)]);
    if (word) await sleep(word.at - Date.now());
  } finally {
    patience.abort();
    stopListening();
  }
}

/** Which workers have made ready what: tells when all that serve have. */
export class Preparations<Worker> {
  readonly #ready = new Map<number, Set<Worker>>();

  /** @returns when to switch, if `worker` is the last of `serving` that was waited for */
  note(edition: number, worker: Worker, serving: readonly Worker[]): number | undefined {
    const ready = this.#ready.get(edition) ?? new Set<Worker>();
    this.#ready.set(edition, ready.add(worker));
    return this.#momentOf(edition, serving);
  }

  /** Forgets a worker that has died. @returns the editions that nobody waits for any more, and when to switch to them */
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

/** A worker that dies sooner than this after its start waits as long before it is replaced. */
const QUICK_DEATH_MILLISECONDS = 1_000;

/**
 * Without, the C library keeps what large answers took as holes between small ones that are kept: it gives blocks back
 * to the system only from a size that rises with every large one. Measured in docs/performance.md.
 */
const MEMORY_SETTINGS = { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Starts worker processes that share one port, each running the command this process was started with, and
 * replaces one that dies. They switch editions at the same moment. When this process is asked to stop, asks all to
 * stop and waits until they have.
 *
 * @param onReady called once, when the first worker answers
 * @throws Error when a worker ends before any has answered
 */
export async function serveWithWorkers(
  { config, signal }: ServeContext,
  count: number,
  log: Logger,
  onReady: () => void,
): Promise<void> {
  // The workers take connections from the port themselves. Were they handed over, those on their way to a worker that
  // is killed would be lost without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let stopping = false;
  let ready = false;
  const states = new Map<Worker, NodeState | undefined>();
  const preparations = new Preparations<Worker>();
  const failed = Promise.withResolvers<never>();

  /** Those that serve an edition: a new one begins with the newest. */
  const serving = () => [...states].filter(([, state]) => state?.served != null).map(([worker]) => worker);
  const switchTo = (edition: number, at: number) => {
    const word: ToWorker = { type: 'archive:switch', edition, at };
    for (const worker of states.keys()) if (worker.isConnected()) worker.send(word);
  };
  const hear = (worker: Worker, message: FromWorker) => {
    if (message.type === 'archive:prepared') {
      const at = preparations.note(message.edition, worker, serving());
      if (at !== undefined) switchTo(message.edition, at);
    } else if (message.type === 'archive:state') {
      states.set(worker, message.state);
      const answers = message.state.ready || message.state.reason === 'nothing has been published yet';
      if (ready || !answers) return;
      ready = true;
      onReady();
    }
  };
  const start = () => {
    if (stopping) return;
    const started = performance.now();
    const worker = cluster.fork(MEMORY_SETTINGS);
    states.set(worker, undefined);
    worker.on('message', (message: FromWorker) => hear(worker, message));
    worker.once('exit', (code, killedBy) => {
      states.delete(worker);
      for (const { edition, at } of preparations.drop(worker, serving())) switchTo(edition, at);
      if (stopping) return;
      if (!ready) failed.reject(new Error('a worker ended before it could answer; see its message above'));
      log.error({ worker: worker.process.pid, code, signal: killedBy }, 'a worker died; starting another');
      const livedLong = performance.now() - started > QUICK_DEATH_MILLISECONDS;
      setTimeout(start, livedLong ? 0 : QUICK_DEATH_MILLISECONDS);
    });
  };

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
    await Promise.all([...states.keys()].map((worker) => stopWorker(worker, config.stopMilliseconds)));
    await Promise.all(servers.map((server) => stop(server, 0)));
  }
}

/** Asks a worker to stop, and kills it when it has not in its time. */
async function stopWorker(worker: Worker, milliseconds: number): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const impatience = setTimeout(() => worker.process.kill('SIGKILL'), milliseconds + 2_000);
  await exited;
  clearTimeout(impatience);
}

/** The state of several processes that answer together: ready when all are, and from what all have. */
export function combineStates(states: readonly NodeState[], expected: number): NodeState {
  const [first, ...others] = states;
  if (!first || states.length < expected) {
    return {
      ready: false,
      reason: `${states.length} of ${expected} workers run`,
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

/** A worker tells its state when that has changed, and looks this often. */
const LOOK_MILLISECONDS = 50;

/** Serves as one of several workers: switches editions with the others, and tells the process that started it how it does. */
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
  try {
    await serveHere(context, log, {
      beforeSwitch: ({ id }) => awaitOtherWorkers(channel, id),
      onListening: async ({ editions, metrics }) => {
        if (metrics) {
          const { AggregatorRegistry } = await import('prom-client');
          AggregatorRegistry.setRegistries([metrics.registry]);
          new AggregatorRegistry();
        }
        let told = '';
        const timer = setInterval(() => {
          const state = editions.state();
          const text = JSON.stringify(state);
          if (text !== told) channel.send({ type: 'archive:state', state });
          told = text;
        }, LOOK_MILLISECONDS);
        return () => clearInterval(timer);
      },
    });
  } finally {
    // Without, the process would not end.
    cluster.worker?.disconnect();
  }
}
