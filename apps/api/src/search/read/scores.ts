/**
 * Scores of all records, by document number; 0 where a record does not match. Counted in units of the last decimal
 * that a score is given with, so that their order is exact.
 */
export type Scores = Uint32Array;

/** The score of a full match of one clause: 1.0. */
export const FULL_SCORE = 10_000;

/** Adds the scores of `more` to `scores`; what does not match both matches neither. */
export function addScores(scores: Scores, more: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) {
    const [a = 0, b = 0] = [scores[doc], more[doc]];
    scores[doc] = a > 0 && b > 0 ? a + b : 0;
  }
}

/** What has a score in `other` has none in `scores` any more. */
export function removeScored(scores: Scores, other: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) if (other[doc]) scores[doc] = 0;
}
