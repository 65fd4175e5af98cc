/** Control characters, and those that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same except tabs and line ends; a carriage return without line feed is not a line end. */
const UNPRINTABLE_IN_LINES = new RegExp(`(?![\\n\\t]|\\r\\n)${UNPRINTABLE.source}`, 'gu');

/** Options of `printable`. */
export interface PrintableOptions {
  /** Keep tabs and line ends. */
  keepLines?: boolean;
}

/** Escapes the characters of a text that would control a terminal, as `\u001b`. */
export function printable(text: string, { keepLines = false }: PrintableOptions = {}): string {
  const unprintable = keepLines ? UNPRINTABLE_IN_LINES : UNPRINTABLE;
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
