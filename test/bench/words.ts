import type { Random } from '../../apps/api/testing/random.ts';

const ONSETS = 'b br d dr g gr h j k kl l m n p r s sch st t v w z'.split(' ');
const NUCLEI = 'a aa e ee i ie ij o oe oo ou u ui ë'.split(' ');
const CODAS = ['', '', 'k', 'l', 'm', 'n', 'n', 'p', 'r', 'rs', 's', 't', 'cht', 'nd', 'rt'];
const ENDINGS = ['', '', '', 'sen', 'stra', 'ma', 'veld', 'dijk', 'berg', 'huis', 'man', 'ink'];

/** Words with the frequencies of a Dutch text. */
export interface Vocabulary {
  /** A word of running text: the n-th most frequent is about n times as rare as the first (Zipf). */
  word(): string;
  /** A last name; the number of different ones is about a third of that of persons. */
  lastName(): string;
  firstName(): string;
  place(): string;
}

/**
 * A vocabulary for an archive of a given size.
 *
 * @param records number of records that will use it
 */
export function createVocabulary(random: Random, records: number): Vocabulary {
  const syllable = () => random.pick(ONSETS) + random.pick(NUCLEI) + random.pick(CODAS);
  const make = (count: number, form: () => string) => Array.from({ length: count }, form);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

  const words = make(20_000, () => syllable() + (random.below(3) > 0 ? syllable() : ''));
  const lastNames = make(Math.max(50, Math.floor(records / 9)), () =>
    capital(syllable() + random.pick(ENDINGS)),
  );
  const firstNames = make(400, () => capital(syllable() + random.pick(['', 'a', 'je', 'us', 'tje', 'o'])));
  const places = make(Math.max(20, Math.floor(records / 400)), () =>
    capital(syllable() + random.pick(ENDINGS)),
  );
  const zipf = (values: readonly string[]) => values[Math.floor(values.length ** random.number()) - 1] ?? '';
  return {
    word: () => zipf(words),
    lastName: () => random.pick(lastNames),
    firstName: () => random.pick(firstNames),
    place: () => zipf(places),
  };
}
