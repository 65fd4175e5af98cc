import { fold } from './fold.ts';

const NOT_ASCII = /[^\0-\x7f]/;
const OTHER_SIGNS = /[^\p{L}\p{N}\0-\x7f]+/gu;
const WORD = /[a-z0-9\u0080-\u{10ffff}]+/gu;

/**
 * The folded text as the index takes it: what is neither ASCII nor a letter or digit becomes a space, so that words
 * are runs of letters and digits for SQLite's `ascii` tokenizer, which takes everything beyond ASCII for letters.
 */
export function indexedText(text: string): string {
  const folded = fold(text);
  return NOT_ASCII.test(folded) ? folded.replace(OTHER_SIGNS, ' ') : folded;
}

/** The words of a text, folded, in order: exactly the ones under which the index keeps it. */
export function wordsOf(text: string): string[] {
  return indexedText(text).match(WORD) ?? [];
}
