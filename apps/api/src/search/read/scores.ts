/**
 * Scores of all records by document number; 0 for no match. They are integers, in units of the last decimal of a score,
 * so that their order is exact.
 */
export type Scores = Uint32Array;

/** Arrays with a number for each record, which are used again: a new one takes as long to make as to read, and is freed late. */
export class Rooms {
  readonly #records: number;
  readonly #free: Uint32Array[] = [];

  /** @param records number of records */
  constructor(records: number) {
    this.#records = records;
  }

  /** Calls `work` with any numbers, which are not its own any more when it returns. */
  use<Result>(work: (room: Uint32Array) => Result): Result {
    const room = this.#free.pop() ?? new Uint32Array(this.#records);
    const result = work(room);
    this.#free.push(room);
    return result;
  }

  /** Calls `work` with scores of 0, which are not its own any more when it returns. */
  score<Result>(work: (scores: Scores) => Result): Result {
    return this.use((room) => work(room.fill(0)));
  }
}

/** The score of a full match of one clause: 1.0. */
export const FULL_SCORE = 10_000;

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

/** The numbers of the records with a score, ascending, in the beginning of `into`. */
function hitsIn(scores: Scores, into: Uint32Array): Uint32Array {
  let count = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]) into[count++] = doc;
  return into.subarray(0, count);
}

/** Sets `scores` to 0 for every record with a score in `other`. */
export function removeScored(scores: Scores, other: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) if (other[doc]) scores[doc] = 0;
}

/** The hits of a query in order: parallel arrays of document numbers and scores. */
export interface Ranking {
  docs: Uint32Array;
  scores: Scores;
  byteLength: number;
}

/**
 * Sorts the hits by descending score, then document number, with a counting sort.
 *
 * @param room for as many numbers as there are scores; it is overwritten
 */
export function rank(scores: Scores, room: Uint32Array): Ranking {
  const hits = hitsIn(scores, room);
  const places = firstPlaces(hits, scores);
  const ranking = rankingOf(hits.length);
  for (let hit = 0; hit < hits.length; hit++) {
    const doc = hits[hit] ?? 0;
    const score = scores[doc] ?? 0;
    const place = places[score] ?? 0;
    places[score] = place + 1;
    ranking.docs[place] = doc;
    ranking.scores[place] = score;
  }
  return ranking;
}

/** Sorts the hits into the order of `order`. @param room as for `rank` */
export function sortInto(order: Uint32Array, scores: Scores, room: Uint32Array): Ranking {
  const ranking = rankingOf(hitsIn(scores, room).length);
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

function rankingOf(hits: number): Ranking {
  return { docs: new Uint32Array(hits), scores: new Uint32Array(hits), byteLength: hits * 8 };
}

/** For each score, the rank of its first hit. */
function firstPlaces(hits: Uint32Array, scores: Scores): Uint32Array {
  let highest = 0;
  for (let hit = 0; hit < hits.length; hit++) highest = Math.max(highest, scores[hits[hit] ?? 0] ?? 0);
  const places = new Uint32Array(highest + 1);
  for (let hit = 0; hit < hits.length; hit++) {
    const score = scores[hits[hit] ?? 0] ?? 0;
    places[score] = (places[score] ?? 0) + 1;
  }
  let place = 0;
  for (let score = highest; score > 0; score--) {
    const count = places[score] ?? 0;
    places[score] = place;
    place += count;
  }
  return places;
}
