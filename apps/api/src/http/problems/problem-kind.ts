import type { Bilingual } from './bilingual.ts';

/** What there is to know of a kind of problem. */
export interface ProblemKind {
  status: number;
  title: Bilingual;
  /** What it means and what to do about it: the text of its help page. */
  help: Bilingual;
}
