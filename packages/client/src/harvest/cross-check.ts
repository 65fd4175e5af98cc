import { KINDS, type Kind } from '@archiefkast/types/kinds';
import type { PageEntry } from './journal-entry.ts';

/** A kind that was walked to its end. */
export interface WalkedKind {
  kind: Kind;
  finishedAt: string;
  lastPage: PageEntry;
}

/** Kinds that do not show the same archive as the others, each with the reason in a sentence. */
export type Disagreements = Map<Kind, string>;

/**
 * Compares what the walks of the kinds say of the whole archive. The kind that was finished last is taken to be
 * right; and where all four were walked, their counts must add up to the total.
 */
export function disagreements(walked: readonly WalkedKind[]): Disagreements {
  const found: Disagreements = new Map();
  const last = walked.toSorted((a, b) => a.finishedAt.localeCompare(b.finishedAt)).at(-1);
  if (!last) return found;
  for (const { kind, lastPage } of walked) {
    for (const name of ['edition', 'total'] as const) {
      if (lastPage[name] === last.lastPage[name]) continue;
      found.set(
        kind,
        `its ${name} is ${lastPage[name]}, that of the ${last.kind} list ${last.lastPage[name]}`,
      );
    }
  }
  if (found.size > 0 || walked.length < KINDS.length) return found;
  const sum = walked.reduce((records, { lastPage }) => records + lastPage.count, 0);
  if (sum === last.lastPage.total) return found;
  const reason = `the counts of all kinds add up to ${sum}, the total is ${last.lastPage.total}`;
  return new Map(walked.map(({ kind }) => [kind, reason]));
}
