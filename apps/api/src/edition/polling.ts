import type { Logger } from 'pino';
import { Gate } from '../gate.ts';

/** Does the work once at a time; whoever asks while it is being done waits for the next time, which sees what is new. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  const gate = new Gate({ underWay: 1 });
  let next: Promise<void> | undefined;
  return () => {
    next ??= gate.pass(() => {
      next = undefined;
      return work();
    });
    return next;
  };
}

/** Work that is done again and again. */
export interface Polling {
  start(): void;
  /** Whether the last time failed. */
  isFailing(): boolean;
  /** No more; waits for the time that is under way. */
  stop(): Promise<void>;
}

/** Does the work again and again, once it is started; logs when it begins to fail and when it is well again. */
export function pollEvery(milliseconds: number, work: () => Promise<void>, log: Logger): Polling {
  let stopped = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  const poll = async () => {
    try {
      await work();
      if (failing) log.info('the database answers again');
      failing = false;
    } catch (error) {
      if (!failing)
        log.error({ err: error }, 'cannot find out which edition is served; the last one known stays');
      failing = true;
    }
    if (!stopped) tick();
  };
  const tick = () => {
    timer = setTimeout(() => {
      underWay = poll();
    }, milliseconds).unref();
  };
  return {
    start: tick,
    isFailing: () => failing,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
