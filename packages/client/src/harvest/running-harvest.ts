import type { Kind } from '@archiefkast/types';
import type { Client } from '../create-client.ts';
import type { OnHarvestEvent } from './harvest-event.ts';
import type { HarvestOptions } from './harvest-options.ts';
import type { Journal } from './journal.ts';

/** What a harvest consists of while it runs. */
export interface RunningHarvest {
  client: Client;
  options: HarvestOptions;
  journals: ReadonlyMap<Kind, Journal>;
  onEvent: OnHarvestEvent;
  /** Requests made again and milliseconds waited, of each kind. */
  efforts: ReadonlyMap<Kind, Effort>;
}

/** What it took to read a kind, beyond the requests themselves. */
export interface Effort {
  retries: number;
  waitedMs: number;
}
