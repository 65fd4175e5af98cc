/** Control characters, and those that turn the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** How a text is made printable. */
export interface PrintableOptions {
  /** Leave tabs and line feeds as they are: the text is more than one line, or a row of a table. */
  keepLines?: boolean;
}

/** The text as a terminal may be given it: what would control the terminal is written out, as `\u001b`. */
export function printable(text: string, { keepLines = false }: PrintableOptions = {}): string {
  return text.replace(UNPRINTABLE, (character) =>
    keepLines && (character === '\n' || character === '\t')
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
