import { fold } from '@archiefkast/formats/fold';
import type { Children } from './jsx-runtime.ts';

/** Maximum number of highlighted words of a query, because each is compared with every word of a text. */
const MOST_WORDS = 50;

/** The words of a query to highlight in texts: free words, and the values of fields; the first 50. */
export function wordsToMark(q: string): string[] {
  const words = fold(q.replace(/(?:^|\s)NOT\s+/g, ' -').replace(/\s(?:AND|OR)(?=\s)/g, ' '))
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

/** A text with the words of a query highlighted. */
export function markedText(text: string, words: readonly string[]): Children {
  // Every second part is a word.
  const parts = text.split(/([\p{L}\p{N}]+)/u);
  return parts.map((part, index) => (index % 2 === 1 && isSought(part, words) ? <mark>{part}</mark> : part));
}

function isSought(word: string, words: readonly string[]): boolean {
  const folded = fold(word);
  return words.some((sought) => folded.startsWith(sought));
}

/** Length of a snippet, in characters. */
const SNIPPET = 180;

/** The part of a text around the first word that matches; undefined if none does. */
export function snippetOf(text: string, words: readonly string[]): string | undefined {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isSought(word, words)) continue;
    const start = index > SNIPPET / 3 ? text.indexOf(' ', index - SNIPPET / 3) + 1 : 0;
    const end = Math.max(index + word.length, endOfWord(text, start + SNIPPET));
    return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  }
  return undefined;
}

/** The end of the last whole word before an offset; the offset itself within a long word. */
function endOfWord(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  const space = text.lastIndexOf(' ', offset);
  return offset - space > SNIPPET / 3 ? offset : space;
}
