import { KINDS, type Kind } from '@archiefkast/types/kinds';
import type { PageEntry } from './journal-entry.ts';

/** A kind whose walk is finished. */
export interface WalkedKind {
  kind: Kind;
  finishedAt: string;
  lastPage: PageEntry;
}

/** Kinds that are inconsistent with the others, each with the reason as a sentence. */
export type Disagreements = Map<Kind, string>;

/**
 * Compares the editions and totals of finished walks. The walk that finished last is taken as correct; if all four kinds
 * were walked, their counts must add up to the total.
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
        `its ${name} is ${lastPage[name]}, but the ${last.kind} list has ${last.lastPage[name]}`,
      );
    }
  }
  if (found.size > 0 || walked.length < KINDS.length) return found;
  const sum = walked.reduce((records, { lastPage }) => records + lastPage.count, 0);
  if (sum === last.lastPage.total) return found;
  const reason = `the counts of all kinds add up to ${sum}, the total is ${last.lastPage.total}`;
  return new Map(walked.map(({ kind }) => [kind, reason]));
}
