import type { Kind } from '@archiefkast/types';
import type { Notice } from '../request/notice.ts';

/** What a harvest tells while it runs. */
export type HarvestEvent =
  | Notice
  /** All kinds are read from this edition of the archive. */
  | { type: 'pinned'; edition: string }
  /** The edition that the harvest was pinned to is no longer served; all kinds begin again. */
  | { type: 'edition-gone'; edition: string }
  /** What has changed since the edition that is held is taken, and nothing else. */
  | { type: 'changes'; since: string; edition: string; records: number }
  /** The feed of changes cannot be used; all kinds are walked. */
  | { type: 'changes-refused'; reason: string }
  /** The journal's end was cut off or damaged, and was dropped. */
  | { type: 'damage'; kind: Kind; reason: string }
  /** A kind goes on after the pages it holds. */
  | { type: 'resume'; kind: Kind; pages: number; records: number }
  /** A page is stored. `records` are those of the kind so far, of `count`. */
  | { type: 'page'; kind: Kind; page: number; records: number; count: number }
  /** A kind begins again. */
  | { type: 'restart'; kind: Kind; reason: string }
  /** The archive moved in a walk that was already a second one. */
  | { type: 'moved'; kind: Kind; reason: string }
  /** A kind was walked to its end. */
  | { type: 'end'; kind: Kind; pages: number; records: number };

/** Is told of events. */
export type OnHarvestEvent = (event: HarvestEvent) => void;
