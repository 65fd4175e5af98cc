import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { type ServeContext, serveHere } from './serve-here.ts';
import { awaitOtherWorkers, type Channel, type FromWorker, type ToWorker } from './workers-agree.ts';

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
