import type { Kind, Language } from '@archiefkast/types';
import { disagreements } from './cross-check.ts';
import type { Journal } from './journal.ts';
import type { JournalProof } from './journal-writer.ts';
import type { WalkFile } from './walk-file.ts';

/** Result of the walk of one kind. */
export interface KindReport {
  kind: Kind;
  pages: number;
  rows: number;
  uniqueUuids: number;
  /** Count of the last page. */
  count: number;
  /** Total of the first page. */
  totalAtStart: number;
  /** Total of the last page. */
  totalAtEnd: number;
  /** Number of retries. */
  retries: number;
  /** Seconds that requests were delayed. */
  secondsWaited: number;
  /** Why the kind was walked again; empty if it was not. */
  walkedAgain: string;
  /** Changes of the archive during the walk, as sentences. */
  moved: string[];
  /** Size and SHA-256 of the journal, uncompressed. */
  journal: JournalProof;
}

/** Result of a harvest. It is complete if `moved` is empty, here and in all kinds. */
export interface HarvestReport {
  source: string;
  language: Language;
  edition: string | null;
  /** The edition of all pages, pinned or not; null if they name none, or several. */
  servedEdition: string | null;
  startedAt: string;
  finishedAt: string;
  kinds: KindReport[];
  /** Inconsistencies between the kinds, as sentences. */
  moved: string[];
}

/** Creates the report of a harvest whose walks are finished. */
export function createHarvestReport(walkFile: WalkFile, journals: ReadonlyMap<Kind, Journal>): HarvestReport {
  const walked = [...journals].flatMap(([kind, { state, proof }]) =>
    state?.firstPage && state.lastPage && state.end
      ? [{ kind, state, proof, firstPage: state.firstPage, lastPage: state.lastPage, end: state.end }]
      : [],
  );
  const finishes = walked.map(({ kind, lastPage, end }) => ({ kind, lastPage, finishedAt: end.finished_at }));
  return {
    source: walkFile.source,
    language: walkFile.language,
    edition: walkFile.edition,
    servedEdition: servedEdition(walked.flatMap(({ firstPage, lastPage }) => [firstPage, lastPage])),
    startedAt: walkFile.started_at,
    finishedAt:
      finishes
        .map(({ finishedAt }) => finishedAt)
        .toSorted()
        .at(-1) ?? walkFile.started_at,
    kinds: walked.map(({ kind, state, proof, firstPage, lastPage }) => ({
      kind,
      pages: lastPage.page,
      rows: state.watch.rows(),
      uniqueUuids: state.watch.uniqueUuids(),
      count: lastPage.count,
      totalAtStart: firstPage.total,
      totalAtEnd: lastPage.total,
      retries: lastPage.retries,
      secondsWaited: lastPage.waited_ms / 1000,
      walkedAgain: state.walk.reason,
      moved: state.moved,
      journal: proof(),
    })),
    moved: [...disagreements(finishes)].map(([kind, reason]) => `${kind}: ${reason}`),
  };
}

function servedEdition(pages: readonly { edition?: string | undefined }[]): string | null {
  const editions = new Set(pages.map(({ edition }) => edition));
  const [only] = editions;
  return editions.size === 1 && only !== undefined ? only : null;
}
