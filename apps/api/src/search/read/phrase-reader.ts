import { WORD } from '../fields/fold.ts';
import { PlaceList } from '../file/place-list.ts';
import { NAME, PostingCursor } from '../file/posting-cursor.ts';
import {
  type Chunk,
  onlyWord,
  type PlacedPosting,
  type Posting,
  type Postings,
  pairOf,
  type WordRange,
  wordsWith,
} from '../file/postings.ts';
import { CHUNK_RECORDS, RecordSet } from '../file/record-set.ts';

/** Added to the weight of a phrase in a record if it is in the name: more than the weights come to. */
export const IN_NAME = 2 ** 30;

/** A word, or some that follow each other; the last one may be the start of a word. */
export class Phrase {
  readonly #words: readonly string[];
  readonly #isStart: boolean;

  /** @param text folded words; `*` at the end for the start of a word */
  constructor(text: string) {
    this.#words = text.match(WORD) ?? [];
    this.#isStart = text.endsWith('*');
  }

  /** The postings of a chunk that have it: each after the first follows the one before. */
  steps({ common }: Chunk): WordRange[] {
    const last = this.#words.length - 1;
    const isCommon = this.#words.map((word, at) => common.has(word) && !(this.#isStart && at === last));
    const steps = this.#words.map((word, at) => {
      if (this.#isStart && at === last) return wordsWith(word);
      const before = isCommon[at - 1] && isCommon[at] ? this.#words[at - 1] : undefined;
      return onlyWord(before === undefined ? word : pairOf(before, word));
    });
    return isCommon[0] && isCommon[1] ? steps.slice(1) : steps;
  }
}

/** Finds phrases in the records of a chunk. */
export class PhraseReader {
  readonly #postings: Postings;
  readonly #cursor = new PostingCursor();
  #found = new PlaceList();
  #longer = new PlaceList();
  readonly #word = new PlaceList();
  readonly #weighed = new Uint32Array(CHUNK_RECORDS);

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  /**
   * Adds the records that contain a phrase in any column to `found`, and those that have it in their name to `named`.
   *
   * @param weights of the columns; records with a weight of 0 do not contain the phrase
   * @returns what `weigh` gives, if it was needed
   */
  find(
    chunk: Chunk,
    phrase: Phrase,
    weights: Weights,
    found: RecordSet,
    named: RecordSet,
  ): Uint32Array | undefined {
    const [range, ...others] = phrase.steps(chunk);
    if (range && others.length === 0 && weights.every((weight) => weight > 0)) {
      for (const posting of this.#postings.found(chunk, range)) {
        found.addAll(posting.records);
        named.addAll(posting.named);
      }
      return undefined;
    }
    const weighed = this.weigh(chunk, phrase, weights);
    for (let record = 0; record < weighed.length; record++) {
      const weight = weighed[record] ?? 0;
      if (weight > 0) found.add(record);
      if (weight >= IN_NAME) named.add(record);
    }
    return weighed.slice();
  }

  /** The weights of a phrase in each record, until the next call; `IN_NAME` is added if it is in the name. */
  weigh(chunk: Chunk, phrase: Phrase, weights: Weights): Uint32Array {
    this.#weighed.fill(0);
    const steps = phrase.steps(chunk);
    const last = steps.pop();
    if (last && steps.length === 0) {
      for (const posting of this.#postings.counts(chunk, last)) this.#weighWord(posting, weights);
    } else if (last) {
      this.#weighPlaces(chunk, steps, last, weights);
    }
    return this.#weighed;
  }

  #weighWord(posting: Posting, weights: Weights): void {
    const cursor = this.#cursor.open(posting);
    const inName = nameFlag(weights);
    while (cursor.next()) {
      const weight = (this.#weighed[cursor.record] ?? 0) + cursor.weigh(weights);
      this.#weighed[cursor.record] = cursor.countIn(NAME) > 0 ? weight | inName : weight;
    }
  }

  /** Adds up the weights where the words of `last` follow those of the other steps. */
  #weighPlaces(chunk: Chunk, steps: readonly WordRange[], last: WordRange, weights: Weights): void {
    const before = steps.flatMap((step) => this.#postings.places(chunk, step));
    if (before.length < steps.length) return;
    const ends = this.#postings.places(chunk, last);
    const shared = new RecordSet();
    for (const { records } of ends) shared.addAll(records);
    for (const { records } of before) shared.keepAllIn(new RecordSet().addAll(records));
    for (const [at, posting] of before.entries()) {
      if (at === 0) this.#found.read(posting, shared);
      else this.#follow(posting, shared);
    }
    for (const posting of ends) {
      this.#longer.follow(this.#found, this.#word.read(posting, shared));
      addWeights(this.#longer, weights, this.#weighed);
    }
  }

  #follow(posting: PlacedPosting, shared: RecordSet): void {
    this.#longer.follow(this.#found, this.#word.read(posting, shared));
    [this.#found, this.#longer] = [this.#longer, this.#found];
  }
}

/** The weights of the columns; 0 for those that are not searched. */
export type Weights = Uint32Array;

/** What is added for a word in the name: nothing if that is not searched. */
function nameFlag(weights: Weights): number {
  return weights[NAME] ? IN_NAME : 0;
}

/** Adds the weights of places to those of their records. */
function addWeights(
  { length, records, ends, columns }: PlaceList,
  weights: Weights,
  weighed: Uint32Array,
): void {
  const inName = nameFlag(weights);
  let at = 0;
  for (let index = 0; index < length; index++) {
    const record = records[index] ?? 0;
    let weight = weighed[record] ?? 0;
    for (const end = ends[index] ?? 0; at < end; at++) {
      weight += weights[columns[at] ?? 0] ?? 0;
      if (columns[at] === NAME) weight |= inName;
    }
    weighed[record] = weight;
  }
}
