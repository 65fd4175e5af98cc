import type { Kind } from '@archiefkast/types';
import type { ClientOptions } from '../client-options.ts';
import type { OnHarvestEvent } from './harvest-event.ts';
import type { WatchRecords } from './journal.ts';

/**
 * By which way an archive is harvested: its pages are walked, its dumps are taken, or its feed of changes since an
 * earlier harvest. Where there is no such feed, or it does not give what the archive published, pages are walked.
 */
export type HarvestWay = 'pages' | 'dumps' | 'changes';

/** What is harvested, how, and where to. */
export interface HarvestOptions extends Omit<ClientOptions, 'onNotice'> {
  /** The journal folder, normally `.journal` in the harvest's folder. It is made when it does not exist. */
  journalFolder: string;
  /** The kinds that are walked, all at the same time; all four by default. */
  kinds?: readonly Kind[] | undefined;
  /** Pages of one kind under way at once; 1 by default. `concurrency` bounds those of all kinds. */
  pagesAtOnce?: number | undefined;
  /** By which way; `pages` by default. `changes` needs `heldFolder` and `since`. */
  from?: HarvestWay | undefined;
  /** The journal folder of an earlier harvest: pages whose ETag still holds are taken from it. */
  heldFolder?: string | undefined;
  /** The edition that the earlier harvest is of. */
  since?: string | undefined;
  onEvent?: OnHarvestEvent | undefined;
  /** Makes what looks at the records of each kind while they are walked. */
  watchRecords?: WatchRecords | undefined;
}
