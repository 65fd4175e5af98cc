import type { Tag } from './walk-html.ts';

/** Plain text that grows: white space as HTML has it, paragraphs, lines and lists. */
export interface Paragraphs {
  write(text: string): void;
  /** Breaks the line or begins a paragraph or an item of a list, where the tag says so. */
  tag(tag: Tag): void;
  toString(): string;
}

/** Elements that stand apart: an empty line is left before and after. */
const BLOCKS = new Set(
  'address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
/** Elements that begin a line. */
const LINES = new Set('caption dd dt figcaption li tr'.split(' '));

/** Levels of lists by which an item is indented, at most: what is written stays in proportion to what is read. */
const DEEPEST_INDENT = 10;

const SPACES = /[ \t\n\r\f]+/g;
/** White space that is not one space: most texts have none, and are not written again. */
const LONG_SPACE = /[\t\n\r\f]| {2}/;

/** Makes an empty text. */
export function createParagraphs(): Paragraphs {
  const parts: string[] = [];
  /** The lists that are open: the number of the last item, NaN where items have none. */
  const lists: number[] = [];
  /** What stands before the next word: line ends, the mark of an item, a space. */
  let breaks = 0;
  let mark = '';
  let space = false;

  function put(text: string): void {
    const isFirst = parts.length === 0;
    if (breaks > 0 || mark !== '') parts.push(`${isFirst ? '' : '\n'.repeat(breaks)}${mark}${text}`);
    else parts.push(space && !isFirst ? ` ${text}` : text);
    breaks = 0;
    mark = '';
  }

  function breakLines(lines: number): void {
    breaks = Math.max(breaks, lists.length > 0 ? 1 : lines);
  }

  function list(closing: boolean, isNumbered: boolean): void {
    if (closing) lists.pop();
    breakLines(2);
    if (!closing) lists.push(isNumbered ? 0 : Number.NaN);
  }

  function item(): void {
    const number = (lists.pop() ?? Number.NaN) + 1;
    lists.push(number);
    breakLines(1);
    mark = `${'  '.repeat(Math.min(lists.length - 1, DEEPEST_INDENT))} ${Number.isNaN(number) ? '*' : `${number}.`} `;
  }

  return {
    write(text) {
      const single = LONG_SPACE.test(text) ? text.replace(SPACES, ' ') : text;
      const begin = single.startsWith(' ') ? 1 : 0;
      const end = single.length - (single.endsWith(' ') ? 1 : 0);
      if (begin > 0) space = true;
      if (end <= begin) return;
      put(single.slice(begin, end));
      space = end < single.length;
    },
    tag({ name, closing }) {
      if (name === 'br') breaks = Math.min(2, breaks + 1);
      else if (name === 'td' || name === 'th') space = true;
      else if (name === 'ul' || name === 'ol') list(closing, name === 'ol');
      else if (name === 'li' && !closing) item();
      else if (BLOCKS.has(name)) breakLines(2);
      else if (LINES.has(name)) breakLines(1);
    },
    toString: () => parts.join(''),
  };
}
