import type { Kind, Language } from '@archiefkast/types';

/** Result of a harvest, with the names of a proof. It is complete if `moved` is empty, here and in all kinds. */
export interface HarvestReport {
  /** The base URL. */
  source: string;
  language: Language;
  /** The edition that all kinds were pinned to. */
  edition: string | null;
  /** The edition of all pages, pinned or not; null if they name none, or several. */
  served_edition: string | null;
  /** ISO 8601, UTC. */
  started: string;
  finished: string;
  kinds: KindReport[];
  /** Inconsistencies between the kinds, as sentences. */
  moved: string[];
}

/** What was read of a kind. */
export interface KindReport {
  kind: Kind;
  pages: number;
  rows: number;
  unique_uuids: number;
  /** Count of the last page. */
  count: number;
  /** Total of the first page, and of the last. */
  total_at_start: number;
  total_at_end: number;
  retries: number;
  /** How long requests were delayed. */
  seconds_waited: number;
  /** Why the kind was walked again; empty if it was not. */
  walked_again: string;
  /** Changes of the archive during the walk, as sentences. */
  moved: string[];
}
