import { decodeHTML } from 'entities/decode';
import { escapeMarkup } from '../escape.ts';
import { attributeOf, FOOTNOTES, opensFootnotes, type Tag, walkHtml } from './walk-html.ts';

export interface HtmlReading {
  /** Paragraphs separated by empty lines; list items start with a mark, footnotes are marked as `[1]`. */
  text: string;
  footnotes: Footnote[];
}

/** A footnote: an item of the closing `section` of class `footnotes`. */
export interface Footnote {
  number: number;
  text: string;
  /** The URLs that it links to, without the link back into the text. */
  links: string[];
}

/** The footnotes of an HTML fragment. */
export function footnotesOf(html: string): Footnote[] {
  return html.includes(FOOTNOTES) ? htmlReading(html).footnotes : [];
}

/** Converts an HTML fragment to plain text in paragraphs, with separate footnotes. */
export function htmlReading(html: string): HtmlReading {
  const body = createParagraphs();
  const footnotes: (Omit<Footnote, 'text'> & { content: Paragraphs })[] = [];
  let into = body;
  let inFootnotes = false;
  let next = 1;
  let inSup = false;
  /** The text of the current footnote mark; undefined outside of one. */
  let marker: string | undefined;
  let isWayBack = false;

  function beginFootnote(): void {
    into = createParagraphs();
    footnotes.push({ number: next, content: into, links: [] });
    next += 1;
  }

  function endMarker(): void {
    if (marker !== undefined) into.write(`[${marker.trim().replace(/^\[|\]$/g, '')}]`);
    marker = undefined;
  }

  function link(tag: Tag): void {
    endMarker();
    isWayBack = false;
    if (tag.closing) return;
    const href = decodeHTML(attributeOf(tag, 'href'));
    if (inFootnotes && href.startsWith('#fnref')) isWayBack = true;
    else if (inSup && !inFootnotes) marker = '';
    else if (href !== '' && !href.startsWith('#')) footnotes.at(-1)?.links.push(href);
  }

  walkHtml(html, {
    text(raw) {
      if (isWayBack) return;
      const text = decodeHTML(raw);
      if (marker !== undefined) marker += text;
      else if (into === body && inFootnotes && text.trim() !== '') {
        beginFootnote();
        into.write(text);
      } else if (into !== body || !inFootnotes) into.write(text);
    },
    tag(tag) {
      const { name, closing } = tag;
      if (name === 'a') return link(tag);
      if (name === 'sup') {
        endMarker();
        inSup = !closing;
      } else if (name === 'section') {
        inFootnotes = opensFootnotes(tag);
        into = body;
      } else if (inFootnotes && name === 'ol' && footnotes.length === 0) {
        next = Number(/^\d+/.exec(attributeOf(tag, 'start'))?.[0] ?? 1);
        return;
      } else if (inFootnotes && name === 'li') {
        if (!closing) beginFootnote();
        return;
      }
      if (!inFootnotes || into !== body) into.tag(tag);
    },
  });
  endMarker();
  return {
    text: body.toString(),
    footnotes: footnotes.map(({ number, content, links }) => ({ number, text: content.toString(), links })),
  };
}

/** Block elements with an empty line before and after. */
const BLOCKS = new Set(
  'address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
const LINES = new Set('caption dd dt figcaption li tr'.split(' '));

/** Maximum indentation of list items, which keeps the output proportional to the input. */
const DEEPEST_INDENT = 10;

const SPACES = /[ \t\n\r\f]+/g;
/** White space other than a single space: most texts have none, and are not rewritten. */
const LONG_SPACE = /[\t\n\r\f]| {2}/;

type Paragraphs = ReturnType<typeof createParagraphs>;

/** Creates a builder of plain text with HTML's rules for white space, paragraphs, lines and lists. */
function createParagraphs() {
  const parts: string[] = [];
  /** The open lists: number of the last item, NaN for unordered lists. */
  const lists: number[] = [];
  /** What to insert before the next word: line ends, the mark of an item, a space. */
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
    write(text: string): void {
      const single = LONG_SPACE.test(text) ? text.replace(SPACES, ' ') : text;
      const begin = single.startsWith(' ') ? 1 : 0;
      const end = single.length - (single.endsWith(' ') ? 1 : 0);
      if (begin > 0) space = true;
      if (end <= begin) return;
      put(single.slice(begin, end));
      space = end < single.length;
    },
    /** Starts a line, paragraph or list item, depending on the tag. */
    tag({ name, closing }: Tag): void {
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

/** Converts plain text to HTML: blank lines separate paragraphs, other line ends become line breaks. */
export function htmlOfText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeMarkup(paragraph).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}
