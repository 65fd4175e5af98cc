import { FULL_SCORE } from '../file/column-matches.ts';
import { bitsIn, listBits, lowestBit } from '../file/record-set.ts';

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

/** Sorts hits by descending score, then document number: those at the wanted places. */
export function rank(scores: Scores, wanted: Places): Ranking {
  const first = new FirstHits(scores, wanted.to);
  const { docs, ...ranking } = rankingOf(hitsIn(scores, first), wanted);
  first.each((doc, place) => {
    if (place < wanted.from) return;
    docs[place - wanted.from] = doc;
    ranking.scores[place - wanted.from] = scores[doc] ?? 0;
  });
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

/** The hits; those that may be among the first are added to `first`. */
function hitsIn(scores: Scores, first?: FirstHits): Pick<Ranking, 'count' | 'bits'> {
  const bits = new Uint32Array(Math.ceil(scores.length / 32));
  let count = 0;
  let least = first?.least ?? HIGHEST;
  for (let at = 0, start = 0; at < bits.length; at++, start += 32) {
    const end = Math.min(start + 32, scores.length);
    // Without a branch for each, which no processor could predict, and without an index beyond the end: a fourth of the time.
    let [word, differences] = [0, 0];
    for (let doc = end - 1; doc >= start; doc--) {
      const score = scores[doc] ?? 0;
      word = (word << 1) | (-score >>> 31);
      differences |= least - score;
    }
    if (differences < 0) least = first?.add(start, end) ?? HIGHEST;
    bits[at] = word;
    count += bitsIn(word);
  }
  return { count, bits };
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

/** More than any score. */
const HIGHEST = 2 ** 31 - 1;

/**
 * The first hits by descending score, then document number, of those that are added by ascending document number. Once there are enough,
 * few others score higher: so a counting sort of these takes little, after all hits were compared with `least`.
 */
class FirstHits {
  /** Only hits with a higher score may still be among the first. */
  least: number;
  readonly #scores: Scores;
  readonly #most: number;
  /** A bit for each record, which is set if it was added. */
  readonly #added: Uint32Array;
  /** Number of hits that were added, by score. */
  #counts = new Uint32Array(FULL_SCORE + 1);
  /** Number of those that were added with a score above `#passed`, below which none is among the first. */
  #above = 0;
  #passed = 0;

  /** @param most number of hits that are wanted */
  constructor(scores: Scores, most: number) {
    this.#scores = scores;
    this.#most = most;
    this.#added = new Uint32Array(Math.ceil(scores.length / 32));
    this.least = most > 0 ? 0 : HIGHEST;
  }

  /** Adds the hits with a score above `least`, from a document number to before another. @returns the new `least` */
  add(start: number, end: number): number {
    for (let doc = start; doc < end; doc++) {
      const score = this.#scores[doc] ?? 0;
      if (score <= this.least) continue;
      this.#added[doc >> 5] = (this.#added[doc >> 5] ?? 0) | (1 << (doc & 31));
      if (score >= this.#counts.length) this.#counts = withRoom(this.#counts, score);
      this.#counts[score] = (this.#counts[score] ?? 0) + 1;
      this.#above += 1;
      if (this.#above >= this.#most) this.#raise();
    }
    return this.least;
  }

  /** Raises `least` as far as enough hits have a score as high. */
  #raise(): void {
    for (;;) {
      const lowest = this.#counts[this.#passed + 1] ?? 0;
      if (this.#above - lowest < this.#most) break;
      this.#above -= lowest;
      this.#passed += 1;
    }
    this.least = this.#passed + 1;
  }

  /** Calls `onHit` with each of the first hits and its place, from 0. */
  each(onHit: (doc: number, place: number) => void): void {
    const places = this.#counts;
    for (let score = places.length - 1, place = 0; score > 0; score--) {
      const count = places[score] ?? 0;
      places[score] = place;
      place += count;
    }
    for (let at = 0; at < this.#added.length; at++) {
      for (let word = this.#added[at] ?? 0; word !== 0; word &= word - 1) {
        const doc = (at << 5) + lowestBit(word);
        const score = this.#scores[doc] ?? 0;
        const place = places[score] ?? 0;
        places[score] = place + 1;
        if (place < this.#most) onHit(doc, place);
      }
    }
  }
}

/** A copy of counts with room for an index. */
function withRoom(counts: Uint32Array, index: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * index);
  larger.set(counts);
  return larger;
}
