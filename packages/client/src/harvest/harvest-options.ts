import type { ArchiveRecord, Kind } from '@archiefkast/types';
import type { ClientOptions, Notice } from '../client-options.ts';
import type { RecordList } from '../listing.ts';
import type { Connection } from '../request/request.ts';
import type { HarvestStore } from './store.ts';
import type { PageFacts, Walk } from './store-schema.ts';

/** Options of a harvest. */
export interface HarvestOptions extends Omit<ClientOptions, 'onNotice' | 'schemas'> {
  /** The file of the store, normally `harvest.sqlite` in the harvest's folder. It is created if it does not exist. */
  path: string;
  /** Kinds to harvest, in parallel; all four by default. */
  kinds?: readonly Kind[] | undefined;
  /** Parallel requests for pages of one kind; 1 by default. `concurrency` limits those of all kinds. */
  pagesAtOnce?: number | undefined;
  /** How to harvest; by default from pages, or from the changes since the edition of `update`. */
  from?: 'pages' | 'dumps' | undefined;
  /**
   * The store of an earlier harvest, from which unchanged pages are copied, and its edition. If the feed of changes is missing or
   * does not match the manifest, pages are walked.
   */
  update?: { held: HarvestStore; since: string | undefined } | undefined;
  /** A text of the caller, which the store keeps as `note`: for the harvest that resumes this one. */
  note?: string | undefined;
  /** Called for each event. */
  onEvent?: ((event: HarvestEvent) => void) | undefined;
}

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
  /** A kind resumes after the stored pages. */
  | { type: 'resume'; kind: Kind; pages: number; records: number }
  /** A page was stored. `records` is the number of records of the kind so far, out of `count`. */
  | { type: 'page'; kind: Kind; page: number; records: number; count: number }
  | { type: 'restart'; kind: Kind; reason: string }
  /** The archive changed again, during the second walk. */
  | { type: 'moved'; kind: Kind; reason: string }
  /** The walk of a kind is finished. */
  | { type: 'end'; kind: Kind; pages: number; records: number };

/** A running harvest. */
export interface RunningHarvest {
  connection: Connection;
  pagesAtOnce: number;
  store: HarvestStore;
  held: HarvestStore | undefined;
  walk: Walk;
  onEvent(event: HarvestEvent): void;
  /** Retries and waits of each kind: facts of its pages. */
  efforts: Readonly<Record<Kind, Pick<PageFacts, 'retries' | 'waited_ms'>>>;
}

/** A running harvest of a kind. */
export interface KindHarvest extends RunningHarvest {
  kind: Kind;
  list: RecordList<ArchiveRecord>;
  signal: AbortSignal;
}
