import leven from 'leven';
import { PARTICLES } from '../fields/fold.ts';

/** A name in parts, each as folded words. */
export interface Name {
  given: readonly string[];
  /** Name particles, such as `van der`. */
  particles: readonly string[];
  family: readonly string[];
  /** What a name may also have, and is no fault if it lacks: manors, names of spouses, a number. */
  more: readonly string[];
}

/** A name as someone wrote it: without an order, since given names come first or last. */
export type WrittenName = Pick<Name, 'particles'> & { words: readonly string[] };

export interface Likeness {
  /** From 0 to 1. */
  score: number;
  /** Whether both have the same words, apart from particles that are left out. */
  isExact: boolean;
}

const OF_NAMES = new Set([...PARTICLES, ...'bij toe uit vanden vander zum zur'.split(' ')]);
const TITLES = new Set(
  'baron dhr dr drs ds graaf heer ing ir jhr jonkheer jonkvrouw mej mevr mr mrs prof sir st'.split(' '),
);
/** What tells namesakes apart, and is often left out. */
const NUMBERS = /^(?:[ivx]+|jr|sr|junior|senior|de oude|de jonge)$/;

/** Abbreviated particles, as written: in capitals, these letters are initials. */
const ABBREVIATED: readonly (readonly [RegExp, string])[] = [
  [/\bv\. ?d\.|\bvd\b\.?/g, 'van der '],
  [/\bv\.(?= ?\p{Lu}| ?d)/gu, 'van '],
  [/\bd\.(?= ?\p{Lu})/gu, 'de '],
];

/** Writes abbreviated particles in full: `v.d. Poll` as `van der Poll`. @param text before it is folded */
export function withParticles(text: string): string {
  return ABBREVIATED.reduce((full, [pattern, particle]) => full.replace(pattern, particle), text);
}

const isName = (word: string) => !OF_NAMES.has(word) && !TITLES.has(word);

function wordsIn(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Splits a written name. @param folded the folded text */
export function writtenName(folded: string): WrittenName {
  const words = wordsIn(folded);
  return { words: words.filter(isName), particles: words.filter((word) => OF_NAMES.has(word)) };
}

/** The name of a person from its folded fields. */
export function personName(given: string, infix: string, family: string): Name {
  // After the family name come manors, and after a dash or slash a second family name.
  const [main = '', ...more] = family.split(/,|\/|-|\(/);
  const [ownFamily, ownGiven] = [main, given].map((text) => wordsIn(text).filter(isName));
  const names = ownFamily?.filter((word) => !NUMBERS.test(word)) ?? [];
  const numbers = ownFamily?.filter((word) => NUMBERS.test(word)) ?? [];
  const isWhole = names.length === 0;
  return {
    given: isWhole ? [] : (ownGiven ?? []),
    family: isWhole ? (ownGiven ?? []) : names,
    particles: wordsIn(`${given} ${infix} ${main}`).filter((word) => OF_NAMES.has(word)),
    more: [...numbers, ...more.flatMap(wordsIn)],
  };
}

/** A name of which all words count alike. */
export function plainName(folded: string): Name {
  const { words, particles } = writtenName(folded);
  return { given: [], family: words, particles, more: [] };
}

/** Weight of the family name, relative to the given names. */
const FAMILY = 0.6;
/** What given names count if only the family name is written. */
const NO_GIVEN = 0.5;
/** What a written word costs that the name lacks, and a given name that is not written. */
const EXTRA = 0.22;
const OMITTED = 0.03;
const MOST_OMITTED = 0.09;
/** What other particles cost, and particles that only one of both has. */
const OTHER_PARTICLES = 0.06;
const NO_PARTICLES = 0.01;

/** Compares a written name with that of a record: words in any order, initials, particles left out, other spelling. */
export function likenessOf(written: WrittenName, name: Name): Likeness {
  const left = [...written.words];
  const take = (word: string, compare: (written: string, own: string) => number): number => {
    const scores = left.map((each) => compare(each, word));
    const best = Math.max(0, ...scores);
    if (best > 0) left.splice(scores.indexOf(best), 1);
    return best;
  };
  const family = name.family.map((word) => take(word, likenessOfWords));
  const isAlone = left.length === 0;
  const given = name.given.map((word) => take(word, likenessOfGiven));
  for (const word of name.more) take(word, likenessOfWords);
  const found = given.filter((score) => score > 0);
  const omitted = given.length - found.length;
  const ofGiven = found.length > 0 ? mean(found) : isAlone ? NO_GIVEN : 0;
  const weight = name.given.length === 0 ? 1 : FAMILY;
  const particles = costOfParticles(written, name);
  const score =
    mean(family) * weight +
    ofGiven * (1 - weight) -
    left.length * EXTRA -
    (isAlone ? 0 : Math.min(MOST_OMITTED, omitted * OMITTED)) -
    particles;
  const isExact =
    left.length === 0 &&
    particles !== OTHER_PARTICLES &&
    [...family, ...given].every((each) => each === 1) &&
    family.length > 0;
  return { score: Math.max(0, score), isExact };
}

function mean(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
}

/** What the particles cost: nothing if they are the same, little if only one of both has them. */
function costOfParticles(written: WrittenName, name: Name): number {
  const [a, b] = [written.particles, name.particles].map((words) => words.toSorted().join(''));
  if (a === b) return 0;
  return a === '' || b === '' ? NO_PARTICLES : OTHER_PARTICLES;
}

/** Fewest letters of the longer of two words that differ. */
const SHORTEST = 4;
/** Least part of letters that is equal. */
const LEAST_EQUAL = 0.7;

/** From 0 to 1: 1 if equal, 0.95 in another usual spelling. */
function likenessOfWords(one: string, other: string): number {
  if (one === other) return 1;
  const [a, b] = [inOneSpelling(one), inOneSpelling(other)];
  if (a === b) return 0.95;
  const equal = Math.max(equalLetters(one, other), equalLetters(a, b));
  return equal >= LEAST_EQUAL ? equal * 0.9 : 0;
}

/** The part of the letters of two words that is equal; two that are exchanged count as one that differs. */
function equalLetters(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest < SHORTEST) return 0;
  const edits = leven(a, b);
  const areExchanged =
    edits === 2 && a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
  return 1 - (areExchanged ? 1 : edits) / longest;
}

/** Given names may also be initials or other abbreviations. */
function likenessOfGiven(written: string, own: string): number {
  const isStart = own.startsWith(written) || (own.length === 1 && written.startsWith(own));
  return written !== own && isStart
    ? written.length === 1 || own.length === 1
      ? 0.75
      : 0.85
    : likenessOfWords(written, own);
}

/** Letters that older Dutch spells in several ways, in the order in which they are replaced. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:zoons?|zns?|sz|z)$/, ''],
  [/(?:ssen|sen|sens|zen)$/, 's'],
  [/ae/g, 'a'],
  [/c(?=[eiy])/g, 's'],
  [/ck|c(?!h)|q/g, 'k'],
  [/gh|ch/g, 'g'],
  [/ph|v/g, 'f'],
  [/th|dt|d$/g, 't'],
  [/z/g, 's'],
  [/x/g, 'ks'],
  [/ui|uy/g, 'y'],
  [/ey|ei/g, 'y'],
  [/i/g, 'y'],
  [/oe/g, 'u'],
  [/(.)\1+/g, '$1'],
];

function inOneSpelling(word: string): string {
  return SPELLINGS.reduce((spelt, [letters, one]) => spelt.replace(letters, one), word);
}

/** What is known of a date: month and day are 0 if they are not. */
export interface KnownDate {
  year: number;
  month: number;
  day: number;
}

/** Dates from the most to the least precise. */
const FORMS: readonly RegExp[] = [
  /(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/,
  /(?<day>\d{1,2})[-./ ](?<month>\d{1,2})[-./ ](?<year>\d{4})/,
  /(?<year>\d{4})-(?<month>\d{2})(?!\d)/,
  /(?:^|\D)(?<year>\d{4})(?!\d)/,
];

/** The first date in a text; of another form, its year. Undefined without one. */
export function readDate(text: string): KnownDate | undefined {
  const { groups } = FORMS.map((form) => form.exec(text)).find((found) => found !== null) ?? {};
  return (
    groups && {
      year: Number(groups['year']),
      month: Number(groups['month'] ?? 0),
      day: Number(groups['day'] ?? 0),
    }
  );
}

/**
 * Compares a written date `a` with that of a record.
 *
 * @param b a day; the first of January stands for a year, as partial dates do in the API
 * @returns 1 if they agree as far as both are known, 0 if they may (a baptism for a birth, another calendar), -1 if not;
 *   undefined without one of them
 */
export function compareDates(a: KnownDate | undefined, b: KnownDate | undefined): number | undefined {
  if (!a || !b) return undefined;
  const years = Math.abs(a.year - b.year);
  if (years > 1) return -1;
  if (years === 1) return 0;
  const isYear = a.month === 0 || (b.month === 1 && b.day === 1);
  if (isYear || (a.month === b.month && (a.day === b.day || a.day === 0))) return 1;
  return 0;
}
