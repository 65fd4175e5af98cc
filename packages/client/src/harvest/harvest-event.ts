import type { Kind } from '@archiefkast/types';
import type { Notice } from '../request/notice.ts';

/** An event of a running harvest. */
export type HarvestEvent =
  | Notice
  /** All kinds are read from this edition of the archive. */
  | { type: 'pinned'; edition: string }
  /** The edition that the harvest was pinned to is no longer served; all kinds start again. */
  | { type: 'edition-gone'; edition: string }
  /** Only the changes since the edition of the earlier harvest are fetched. */
  | { type: 'changes'; since: string; edition: string; records: number }
  /** The feed of changes cannot be used; all kinds are walked. */
  | { type: 'changes-refused'; reason: string }
  /** The end of the journal was damaged, and was removed. */
  | { type: 'damage'; kind: Kind; reason: string }
  /** A kind resumes after the stored pages. */
  | { type: 'resume'; kind: Kind; pages: number; records: number }
  /** A page was stored. `records` is the number of records of the kind so far, out of `count`. */
  | { type: 'page'; kind: Kind; page: number; records: number; count: number }
  /** A kind starts again. */
  | { type: 'restart'; kind: Kind; reason: string }
  /** The archive changed again, during the second walk. */
  | { type: 'moved'; kind: Kind; reason: string }
  /** The walk of a kind is finished. */
  | { type: 'end'; kind: Kind; pages: number; records: number };

/** Called for each event. */
export type OnHarvestEvent = (event: HarvestEvent) => void;
