import { bitsIn, listBits } from '../file/record-set.ts';

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

/** Adds multiples of the scores of `more` to those of the records that have any. */
export function addWeighted(scores: Scores, more: Scores, weight: number): void {
  for (let doc = 0; doc < scores.length; doc++) {
    const score = scores[doc] ?? 0;
    scores[doc] = score + ((weight * (more[doc] ?? 0)) & (-score >> 31));
  }
}

/** Sets `scores` to 0 for every record with a score in `other`. */
export function removeScored(scores: Scores, other: Scores): void {
  for (let doc = 0; doc < scores.length; doc++) if (other[doc]) scores[doc] = 0;
}

/** The hits of a query: which they are, and some of them in order, as parallel arrays of document numbers and scores. */
export interface Ranking {
  /** Number of hits. */
  count: number;
  /** A bit for each record, which is set for hits. */
  bits: Uint32Array;
  docs: Uint32Array;
  scores: Scores;
  byteLength: number;
}

/** Some places in the order of hits: from one (0 is the first) to before another. */
export interface Places {
  from: number;
  to: number;
}

/** Sorts hits by descending score, then document number, with a counting sort of those at the wanted places. */
export function rank(scores: Scores, wanted: Places): Ranking {
  const { highest, ...hits } = hitsIn(scores);
  const { docs, ...ranking } = rankingOf(hits, wanted);
  const { places, least } = firstPlaces(scores, hits.bits, highest, wanted.to);
  for (let doc = 0, sorted = 0; sorted < docs.length; doc++) {
    if (hits.bits[doc >> 5] === 0) {
      doc |= 31;
      continue;
    }
    const score = scores[doc] ?? 0;
    if (score < least) continue;
    const place = places[score] ?? 0;
    places[score] = place + 1;
    if (place < wanted.from || place >= wanted.to) continue;
    docs[place - wanted.from] = doc;
    ranking.scores[place - wanted.from] = score;
    sorted += 1;
  }
  return { docs, ...ranking };
}

/** Sorts the hits into the order of `order`: those at the wanted places. */
export function sortInto(order: Uint32Array, scores: Scores, wanted: Places): Ranking {
  const { docs, ...ranking } = rankingOf(hitsIn(scores), wanted);
  for (let at = 0, place = 0; at < order.length && place < wanted.to; at++) {
    const doc = order[at] ?? 0;
    const score = scores[doc] ?? 0;
    if (score === 0) continue;
    if (place >= wanted.from) {
      docs[place - wanted.from] = doc;
      ranking.scores[place - wanted.from] = score;
    }
    place += 1;
  }
  return { docs, ...ranking };
}

/** The document numbers of all hits, ascending, in the beginning of `into`. */
export function allHits({ bits }: Ranking, into: Uint32Array): Uint32Array {
  return into.subarray(0, listBits(bits, into));
}

/** The hits, and the highest score. */
function hitsIn(scores: Scores): Pick<Ranking, 'count' | 'bits'> & { highest: number } {
  const bits = new Uint32Array(Math.ceil(scores.length / 32));
  let count = 0;
  let highest = 0;
  for (let at = 0; at < bits.length; at++) {
    let word = 0;
    for (let bit = 0; bit < 32; bit++) {
      const score = scores[(at << 5) + bit] ?? 0;
      if (score > highest) highest = score;
      // Without a branch, which no processor could predict: a third of the time.
      word |= (-score >>> 31) << bit;
    }
    bits[at] = word;
    count += bitsIn(word);
  }
  return { count, bits, highest };
}

/** A ranking with room for the hits at the wanted places. */
function rankingOf({ count, bits }: Pick<Ranking, 'count' | 'bits'>, { from, to }: Places): Ranking {
  const length = Math.max(0, Math.min(count, to) - from);
  return {
    count,
    bits,
    docs: new Uint32Array(length),
    scores: new Uint32Array(length),
    byteLength: bits.byteLength + length * 8,
  };
}

/** For each score, the place of its first hit; and the least score of those with a place below `to`. */
function firstPlaces(
  scores: Scores,
  bits: Uint32Array,
  highest: number,
  to: number,
): { places: Uint32Array; least: number } {
  const places = new Uint32Array(highest + 1);
  for (let doc = 0; doc < scores.length; doc++) {
    if (bits[doc >> 5] === 0) {
      doc |= 31;
      continue;
    }
    const score = scores[doc] ?? 0;
    places[score] = (places[score] ?? 0) + 1;
  }
  let place = 0;
  let least = highest + 1;
  for (let score = highest; score > 0 && place < to; score--) {
    const count = places[score] ?? 0;
    places[score] = place;
    place += count;
    least = score;
  }
  return { places, least };
}
