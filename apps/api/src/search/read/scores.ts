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

/** The hits of a query, best first: their document numbers and scores (in units), side by side. */
export interface Ranking {
  docs: Uint32Array;
  scores: Scores;
  byteLength: number;
}

/** The records that match by score, highest first; those of equal score by document number. A counting sort. */
export function rank(scores: Scores): Ranking {
  const { places, hits } = firstPlaces(scores);
  const ranking = { docs: new Uint32Array(hits), scores: new Uint32Array(hits), byteLength: hits * 8 };
  for (let doc = 0; doc < scores.length; doc++) {
    const score = scores[doc] ?? 0;
    if (score === 0) continue;
    const place = places[score] ?? 0;
    places[score] = place + 1;
    ranking.docs[place] = doc;
    ranking.scores[place] = score;
  }
  return ranking;
}

/** The records that match, in the order in which `order` has all of them. */
export function sortInto(order: Uint32Array, scores: Scores): Ranking {
  let hits = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]) hits += 1;
  const ranking = { docs: new Uint32Array(hits), scores: new Uint32Array(hits), byteLength: hits * 8 };
  let place = 0;
  for (let at = 0; at < order.length; at++) {
    const doc = order[at] ?? 0;
    const score = scores[doc] ?? 0;
    if (score === 0) continue;
    ranking.docs[place] = doc;
    ranking.scores[place] = score;
    place += 1;
  }
  return ranking;
}

/** For each score, the place of the first hit that has it; and the number of hits. */
function firstPlaces(scores: Scores): { places: Uint32Array; hits: number } {
  let highest = 0;
  for (let doc = 0; doc < scores.length; doc++) highest = Math.max(highest, scores[doc] ?? 0);
  const places = new Uint32Array(highest + 1);
  for (let doc = 0; doc < scores.length; doc++) {
    const score = scores[doc] ?? 0;
    places[score] = (places[score] ?? 0) + 1;
  }
  let hits = 0;
  for (let score = highest; score > 0; score--) {
    const count = places[score] ?? 0;
    places[score] = hits;
    hits += count;
  }
  return { places, hits };
}
