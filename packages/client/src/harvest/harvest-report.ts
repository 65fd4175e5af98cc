import type { Kind, Language } from '@archiefkast/types';
import { disagreements } from './cross-check.ts';
import type { Journal } from './journal.ts';
import type { JournalProof } from './journal-writer.ts';
import type { WalkFile } from './walk-file.ts';

/** What the walk of one kind came to. */
export interface KindReport {
  kind: Kind;
  pages: number;
  rows: number;
  uniqueUuids: number;
  /** Records that the last page promised. */
  count: number;
  /** Records of all kinds, as the first page said. */
  totalAtStart: number;
  /** Records of all kinds, as the last page said. */
  totalAtEnd: number;
  /** Requests made again. */
  retries: number;
  /** Seconds that requests were held back. */
  secondsWaited: number;
  /** Why the kind was walked again; empty when once was enough. */
  walkedAgain: string;
  /** What moved while it was walked, in sentences; empty when nothing did. */
  moved: string[];
  /** What the journal holds. */
  journal: JournalProof;
}

/** What a harvest came to. It is complete when nothing moved, in any kind and between them. */
export interface HarvestReport {
  source: string;
  language: Language;
  edition: string | null;
  /** The edition that all pages name, pinned to it or not; null where they name none, or several. */
  servedEdition: string | null;
  startedAt: string;
  finishedAt: string;
  kinds: KindReport[];
  /** What does not agree between the kinds, in sentences. */
  moved: string[];
}

/** Makes the report of a harvest whose walks have all come to their ends. */
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
