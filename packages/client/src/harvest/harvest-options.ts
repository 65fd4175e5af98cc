import type { Kind } from '@archiefkast/types';
import type { ClientOptions } from '../client-options.ts';
import type { OnHarvestEvent } from './harvest-event.ts';
import type { WatchRecords } from './journal.ts';

/**
 * How an archive is harvested: from its pages, from its dumps, or from its feed of changes since an earlier harvest. If the
 * feed is missing or does not match the manifest, pages are walked.
 */
export type HarvestWay = 'pages' | 'dumps' | 'changes';

/** Options of a harvest. */
export interface HarvestOptions extends Omit<ClientOptions, 'onNotice'> {
  /** The journal folder, normally `.journal` in the harvest's folder. It is created if it does not exist. */
  journalFolder: string;
  /** Kinds to harvest, in parallel; all four by default. */
  kinds?: readonly Kind[] | undefined;
  /** Parallel requests for pages of one kind; 1 by default. `concurrency` limits those of all kinds. */
  pagesAtOnce?: number | undefined;
  /** How to harvest; `pages` by default. `changes` needs `heldFolder` and `since`. */
  from?: HarvestWay | undefined;
  /** The journal folder of an earlier harvest: unchanged pages are copied from it. */
  heldFolder?: string | undefined;
  /** The edition of the earlier harvest. */
  since?: string | undefined;
  onEvent?: OnHarvestEvent | undefined;
  /** Creates the watch of the records of each kind. */
  watchRecords?: WatchRecords | undefined;
}
