import type { Kind, Language } from '@archiefkast/types';

/** Result of a harvest, with the names of a proof. It is complete if `moved` is empty, here and in all kinds, and so are `differences`. */
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
  /** The edition whose manifest lists all kinds; its text is in the store, as `manifest`. Null if the archive offers none. */
  manifest_of: string | null;
  /** What differs from that manifest, as sentences. */
  differences: string[];
}

/** Whether the archive did not change during a harvest. */
export function isUnmoved({ kinds, moved }: Pick<HarvestReport, 'kinds' | 'moved'>): boolean {
  return moved.length === 0 && kinds.every((kind) => kind.moved.length === 0);
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
