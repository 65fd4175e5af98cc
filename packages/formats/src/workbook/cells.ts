import { escapeText, NOT_IN_XML } from '../escape.ts';

/** The text of a cell, or why it has none. Empty cells are `""`. */
export type Cell = string | { readonly fault: string };

const LETTERS = 26;
const A = 65;

/** The letters of a column by its index, from 0: A, B … Z, AA … */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(A + (index % LETTERS));
  return index < LETTERS ? letter : columnLetters(Math.floor(index / LETTERS) - 1) + letter;
}

/** The index of a column, from 0, from the name of a cell such as `AB12`; undefined if the name is invalid. */
export function columnOfCell(name: string): number | undefined {
  const [letters] = /^[A-Z]{1,7}(?=\d)/.exec(name) ?? [];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - A + 1, 0) - 1;
}

/** The underscore of a text that looks like an escape, which is escaped itself. */
const LIKE_AN_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Encodes a text for SpreadsheetML (ST_Xstring): escapes such as `_x000D_`, and XML entities. */
export function toCellText(text: string): string {
  const escaped = (character: string) =>
    `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return escapeText(
    text
      .replaceAll(LIKE_AN_ESCAPE, '_x005F_')
      .replaceAll(NOT_IN_XML, escaped)
      // XML would read it as a line feed.
      .replaceAll('\r', escaped),
  );
}

/** Decodes SpreadsheetML's escapes, such as `_x000D_`. */
export function fromCellText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
