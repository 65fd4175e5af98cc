import { htmlText } from '@archiefkast/formats/html-words';
import type { Children } from '../html/jsx-runtime.ts';

const ASCII = /^[\0-\x7f]*$/;

/** Letters as they are compared: without case and diacritics. */
function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Words of a query that are marked: a text is compared with every one. */
const MOST_WORDS = 50;

/** The words of a query that may be marked in texts: those that stand free, and the values of fields; the first 50. */
export function wordsToMark(q: string): string[] {
  const words = fold(q)
    .replace(/(?:^|\s)-\S+/g, ' ')
    .replace(
      /\b(?:kind|person|subject|under|location|event|parent|related|id|uuid|has|near|within|century|gender):\S+/g,
      ' ',
    )
    .replace(/\b[a-z_]+:=?/g, ' ')
    .match(/[\p{L}\p{N}]{2,}/gu);
  return [...new Set(words ?? [])].slice(0, MOST_WORDS);
}

const WORD = /[\p{L}\p{N}]+/gu;

/** A text in which the words that were sought are marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const parts: Children[] = [];
  /** Words of the text that were looked at: the mark of each, null for one that was not sought. */
  const marks = new Map<string, Children>();
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!marks.has(word)) marks.set(word, isSought(word, words) ? <mark>{word}</mark> : null);
    const mark = marks.get(word);
    if (!mark) continue;
    parts.push(text.slice(end, index), mark);
    end = index + word.length;
  }
  return [...parts, text.slice(end)];
}

function isSought(word: string, words: readonly string[]): boolean {
  const folded = fold(word);
  return words.some((sought) => folded.startsWith(sought));
}

/** Characters of a text around the first word that was sought. */
const SNIPPET = 180;

/** The part of a text around the first word that was sought; undefined where none of them is in it. */
export function snippetOf(text: string, words: readonly string[]): string | undefined {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isSought(word, words)) continue;
    const start = index > SNIPPET / 3 ? text.indexOf(' ', index - SNIPPET / 3) + 1 : 0;
    const end = Math.min(text.length, start + SNIPPET);
    return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  }
  return undefined;
}

/** The words of HTML on one line, without footnotes and what stands raised. */
export function plainText(html: string): string {
  return htmlText(html).replace(/\s+/g, ' ').trim();
}
