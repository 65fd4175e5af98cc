import type { Kind } from '@archiefkast/types';

/** Looks at the records of a walk as they are stored, and at those that the journal holds already. */
export interface RecordWatch {
  /**
   * Looks at the records of the next page.
   *
   * @param lines the records as the journal holds them, one per line; good until `see` returns
   */
  see(records: readonly unknown[], lines: Uint8Array): void;
}

/** Makes the watch over a walk of a kind. A kind that begins again is watched anew. */
export type WatchRecords = (kind: Kind) => RecordWatch;
