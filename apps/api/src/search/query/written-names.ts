import { fold, wordsOf } from '../fields/fold.ts';

/** Particles as people abbreviate them, and the phrases that they stand for. */
const PARTICLES: readonly (readonly [written: RegExp, phrases: string])[] = [
  [/^v[./]?d\.?$/i, 'v d|vd|van der|van den|van de'],
  [/^v\.$/, 'v|van|von'],
  [/^d\.$/, 'd|de|den|der'],
  [/^t\.$/, 't|te|ten|ter'],
];
const PARTICLE_AND_NAME = /^(v[./]d\.?|[vdt]\.)(\p{Lu}\p{Ll}.*)$/u;
const WITH_DOTS = /^(?:\p{L}\.-?){1,4}$/u;
const IN_CAPITALS = /^\p{Lu}{1,3}$/u;
const ROMAN = /^[IVXLCDM]{2,}$/;
/** A word that can be a name. */
const NAME = /\p{Lu}\p{Ll}/u;

/** Whether a text has a word that can be a name: beside one, capitals can be initials. */
export function hasName(text: string): boolean {
  return NAME.test(text);
}

/**
 * The phrases of a word that abbreviates parts of a name: alternatives, of which `j^p^` are initials, the starts of words of a name.
 * Undefined for other words.
 */
export function phrasesOfName(text: string, q: string): string[] | undefined {
  const [, particle, name] = PARTICLE_AND_NAME.exec(text) ?? [];
  if (particle && name) return [...(phrasesOfName(particle, q) ?? []), ...wordsOf(name)];
  const found = PARTICLES.find(([written]) => written.test(text));
  if (found) return [found[1]];
  if (!WITH_DOTS.test(text) && !(IN_CAPITALS.test(text) && !ROMAN.test(text) && hasName(q))) return undefined;
  const letters = [...fold(text).replace(/[.-]/g, '')];
  const glued = letters.length > 1 ? [letters.join('')] : [];
  return [[wordsOf(text).join(' '), ...glued, letters.map((letter) => `${letter}^`).join('')].join('|')];
}

/** Phrases with at most so many initials: others match as they are written. */
export function withFewInitials(phrases: readonly string[], most: number): string[] {
  let initials = 0;
  return phrases.map((phrase) => {
    initials += phrase.split('^').length - 1;
    return initials > most && phrase.includes('^') ? (phrase.split('|')[0] ?? phrase) : phrase;
  });
}
