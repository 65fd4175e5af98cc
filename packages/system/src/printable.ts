/** Control characters, and those that turn the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same but for tabs and line ends: CRLF is one, a carriage return alone is not. */
const UNPRINTABLE_IN_LINES = new RegExp(`(?![\\n\\t]|\\r\\n)${UNPRINTABLE.source}`, 'gu');

/** How a text is made printable. */
export interface PrintableOptions {
  /** Leave tabs and line ends as they are: the text is more than one line, or a row of a table. */
  keepLines?: boolean;
}

/** The text as a terminal may be given it: what would control the terminal is written out, as `\u001b`. */
export function printable(text: string, { keepLines = false }: PrintableOptions = {}): string {
  const unprintable = keepLines ? UNPRINTABLE_IN_LINES : UNPRINTABLE;
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
