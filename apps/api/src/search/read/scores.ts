/**
 * Scores of all records by document number; 0 for no match. They are integers, in units of the last decimal of a score,
 * so that their order is exact.
 */
export type Scores = Uint32Array;

/** Adds the scores of `more` to `scores`; records that do not match both get 0. */
export function addScores(scores: Scores, more: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) {
    const [a = 0, b = 0] = [scores[doc], more[doc]];
    scores[doc] = a > 0 && b > 0 ? a + b : 0;
  }
}

/** Adds the scores of `more` to `scores`; records that match either keep their score. */
export function addAlternative(scores: Scores, more: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) scores[doc] = (scores[doc] ?? 0) + (more[doc] ?? 0);
}

/** Sets `scores` to 0 for every record with a score in `other`. */
export function removeScored(scores: Scores, other: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) if (other[doc]) scores[doc] = 0;
}

/** The document numbers of the records with a score, ascending. */
export function hitsIn(scores: Scores): Uint32Array {
  const docs = new Uint32Array(scores.length);
  let length = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]) docs[length++] = doc;
  return docs.slice(0, length);
}

/** The hits of a query in order: parallel arrays of document numbers and scores. */
export interface Ranking {
  docs: Uint32Array;
  scores: Scores;
  byteLength: number;
}

/** Sorts hits: by descending score, then document number; or as in `order`. */
export function rank(scores: Scores, order?: Uint32Array): Ranking {
  const docs = order ? order.filter((doc) => scores[doc]) : sortHits(hitsIn(scores), scores);
  const ofHits = docs.map((doc) => scores[doc] ?? 0);
  return { docs, scores: ofHits, byteLength: docs.byteLength + ofHits.byteLength };
}

/** Sorts hits by counting: scores are small numbers. */
function sortHits(hits: Uint32Array, scores: Scores): Uint32Array {
  let best = 0;
  for (const doc of hits) best = Math.max(best, scores[doc] ?? 0);
  // How many hits score higher than the best one minus the index, and then how many of those with that score are placed.
  const places = new Uint32Array(best + 2);
  for (const doc of hits) {
    const next = best - (scores[doc] ?? 0) + 1;
    places[next] = (places[next] ?? 0) + 1;
  }
  for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
  const docs = new Uint32Array(hits.length);
  for (const doc of hits) {
    const below = best - (scores[doc] ?? 0);
    const place = places[below] ?? 0;
    docs[place] = doc;
    places[below] = place + 1;
  }
  return docs;
}

/** The first `limit` items in an order, without sorting all; equal ones stay as they are. */
export function firstOf<Item>(
  items: Iterable<Item>,
  limit: number,
  compare: (a: Item, b: Item) => number,
): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const place = first.findLastIndex((other) => compare(other, item) <= 0) + 1;
    if (place >= limit) continue;
    first.splice(place, 0, item);
    if (first.length > limit) first.pop();
  }
  return first;
}
