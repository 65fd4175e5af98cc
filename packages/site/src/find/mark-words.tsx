/** Letters as they are compared: without case and diacritics. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a query that may be marked in texts: those that stand free, and the values of fields. */
export function wordsToMark(q: string): string[] {
  const words = fold(q)
    .replace(/(?:^|\s)-\S+/g, ' ')
    .replace(
      /\b(?:kind|person|subject|under|location|event|parent|related|id|uuid|has|near|within|century|gender):\S+/g,
      ' ',
    )
    .replace(/\b[a-z_]+:=?/g, ' ')
    .match(/[\p{L}\p{N}]{2,}/gu);
  return [...new Set(words ?? [])];
}

/** A text in which the words that were sought are marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return text.split(/([\p{L}\p{N}]+)/u).map((part, index) => {
    const isMarked = index % 2 === 1 && words.some((word) => fold(part).startsWith(word));
    return isMarked ? <mark key={`${index}`}>{part}</mark> : part;
  });
}

/** Characters of a text around the first word that was sought. */
const SNIPPET = 180;

/** The part of a text around the first word that was sought; undefined where none of them is in it. */
export function snippetOf(text: string, words: readonly string[]): string | undefined {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!words.some((sought) => fold(word).startsWith(sought))) continue;
    const start = index > SNIPPET / 3 ? text.indexOf(' ', index - SNIPPET / 3) + 1 : 0;
    const end = Math.min(text.length, start + SNIPPET);
    return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  }
  return undefined;
}
