const LETTERS = 26;
const A = 65;

/** The letters of a column by its place, from 0: A, B … Z, AA … */
export function columnLetters(place: number): string {
  const letter = String.fromCharCode(A + (place % LETTERS));
  return place < LETTERS ? letter : columnLetters(Math.floor(place / LETTERS) - 1) + letter;
}

/** The place of a column, from 0, by the name of a cell in it such as `AB12`; undefined when it is no such name. */
export function columnOfCell(name: string): number | undefined {
  const [letters] = /^[A-Z]{1,7}(?=\d)/.exec(name) ?? [];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - A + 1, 0) - 1;
}

/** What XML cannot hold, or would change: controls, CR, lone surrogates, U+FFFE and U+FFFF. */
const UNWRITABLE = /[^\P{Cc}\t\n\u007f-\u009f]|[\ufffe\uffff]|\p{Cs}/gu;
/** A text that reads like an escape is escaped itself, at its underscore. */
const LIKE_AN_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** A text as SpreadsheetML has it (ST_Xstring): what XML cannot hold is written `_x000D_`; XML's own is escaped. */
export function toCellText(text: string): string {
  return text
    .replaceAll(LIKE_AN_ESCAPE, '_x005F_')
    .replaceAll(UNWRITABLE, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
    })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The text that SpreadsheetML's escapes (`_x000D_`) stand for. */
export function fromCellText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
