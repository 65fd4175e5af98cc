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
