/** Words that say little of who or what is meant: particles, articles and titles. */
const PARTICLES = new Set(
  'a aan an and av de del della den der des di dr du el en et het in la le les mr of op t te ten ter the tot van vd von zu s ir jhr ds'.split(
    ' ',
  ),
);

/** What a particle counts, where another word counts 1. */
const PARTICLE = 0.2;

/**
 * How far a name and what was typed are the same words, in any order: 1 where they are, less for every word that only
 * one of them has, 0 where they have none in common. `Rembrandt` is most of `rembrandt van rijn`.
 *
 * @param name the words of the name, folded
 * @param typed those that were typed, folded
 */
export function nameOverlap(name: readonly string[], typed: ReadonlySet<string>): number {
  const words = new Set(name);
  let common = 0;
  for (const word of words) if (typed.has(word)) common += weightOf(word);
  const [all, wanted] = [weightOfAll(words), weightOfAll(typed)];
  return common === 0 ? 0 : (common * common) / (all * wanted);
}

function weightOfAll(words: ReadonlySet<string>): number {
  let sum = 0;
  for (const word of words) sum += weightOf(word);
  return sum;
}

function weightOf(word: string): number {
  return PARTICLES.has(word) ? PARTICLE : 1;
}
