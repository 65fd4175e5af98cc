import type { Logger } from 'pino';
import { Gate } from '../gate.ts';

/** Runs the work one call at a time. Calls during a run share the next run, so that they see the latest state. */
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

/** Work that is repeated. */
export interface Polling {
  start(): void;
  /** Whether the last run failed. */
  isFailing(): boolean;
  /** Stops, after the current run. */
  stop(): Promise<void>;
}

/** What a poll logs. */
interface PollMessages {
  failing: string;
  recovered: string;
}

/** Repeats the work once started; logs the first failure and the recovery. */
export function pollEvery(
  milliseconds: number,
  work: () => Promise<void>,
  log: Logger,
  messages: PollMessages,
): Polling {
  let stopped = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  const poll = async () => {
    try {
      await work();
      if (failing) log.info(messages.recovered);
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, messages.failing);
      failing = true;
    }
    if (!stopped) tick();
  };
  const tick = () => {
    timer = setTimeout(() => {
      current = poll();
    }, milliseconds).unref();
  };
  return {
    start: tick,
    isFailing: () => failing,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
