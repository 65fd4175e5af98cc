import type { Kind } from '@archiefkast/types';
import type { Client } from '../create-client.ts';
import type { OnHarvestEvent } from './harvest-event.ts';
import type { HarvestOptions } from './harvest-options.ts';
import type { Journal } from './journal.ts';

/** The parts of a running harvest. */
export interface RunningHarvest {
  client: Client;
  options: HarvestOptions;
  journals: ReadonlyMap<Kind, Journal>;
  onEvent: OnHarvestEvent;
  /** Retries and milliseconds waited of each kind. */
  efforts: ReadonlyMap<Kind, Effort>;
}

/** Retries and waits of a kind. */
export interface Effort {
  retries: number;
  waitedMs: number;
}

/** Runs a task for every kind in parallel; the first failure aborts all. */
export async function forAllKinds<Result>(
  { journals, options }: RunningHarvest,
  work: (kind: Kind, journal: Journal, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const all = [...journals].map(([kind, journal]) => work(kind, journal, signal));
  for (const one of all) one.catch((error) => failed.abort(error));
  await Promise.allSettled(all);
  signal.throwIfAborted();
  return Promise.all(all);
}
