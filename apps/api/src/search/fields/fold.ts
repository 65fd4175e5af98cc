import { fold } from '@archiefkast/formats/fold';

export { fold };

/** Signs before the first letter or digit of a text. */
const SIGNS_BEFORE = /^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u;

/** A folded name as it is sorted: `[burgh]` as `burgh]`, `'s-hertogenbosch` as `s-hertogenbosch`. */
export function sortedText(folded: string): string {
  return folded.replace(SIGNS_BEFORE, '');
}

const NOT_ASCII = /[^\0-\x7f]/;
const OTHER_SIGNS = /[^\p{L}\p{N}\0-\x7f]+/gu;
/** The words of a text as `indexedText` gives it. */
export const WORD = /[a-z0-9\u0080-\u{10ffff}]+/gu;

/**
 * Prepares a folded text for the index: replaces non-ASCII characters other than letters and digits by spaces, so that
 * all others are parts of words.
 */
export function indexedText(text: string): string {
  const folded = fold(text);
  return NOT_ASCII.test(folded) ? folded.replace(OTHER_SIGNS, ' ') : folded;
}

/** The folded words of a text in order, exactly as they are indexed. */
export function wordsOf(text: string): string[] {
  return indexedText(text).match(WORD) ?? [];
}

/** Whether a byte is part of a word of a folded text in UTF-8: a letter or digit, or a byte of a non-ASCII character. */
export function isWordByte(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/** Particles and articles of names, of which a name may lack any. */
export const PARTICLES =
  'aan and de den der des di du el en het in la le les of op t te ten ter the to tot van vd von zu'.split(
    ' ',
  );
