import { foldHtml } from './clean-html.ts';

/** A long text of a page, in parts. */
export interface LongText {
  /** The part that is shown at once. */
  shown: string;
  /** The rest, to unfold; empty if all is shown. */
  folded: string;
  /** The footnotes, after the rest; empty if they are in the shown part. */
  notes: string;
  /** The headings, in order; none if the text has fewer than three. */
  chapters: readonly { id: string; title: string }[];
  /** Whether it has headings, which are below one of its own. */
  hasHeadings: boolean;
  /** What is folded. */
  extent: { words: number; chapters: number; notes: number };
}

/** The fewest headings that are listed, and the most: deeper ones are left out first, then the last ones. */
const FEWEST_CHAPTERS = 3;
const MOST_CHAPTERS = 60;

/** A heading of clean HTML, in which `<` and `>` only occur around tags. */
const HEADING = /<h([3-6])((?: [^>]*)?)>(.*?)<\/h\1>/gs;
/** A wide table scrolls by itself, also by keyboard. */
const TABLE = /<table(?=[ >])/g;
const FOCUSABLE_TABLE = '<table tabindex="0"';
const TAGS = /<[^>]*>/g;
const NOTES = /<section(?: [^>]*)? class="footnotes"[^>]*>(?:(?!<\/section>).)*<\/section>\s*$/s;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Clean HTML whose tables are stops of the keyboard, by which they scroll. */
export function withFocusableTables(html: string): string {
  return html.replaceAll(TABLE, FOCUSABLE_TABLE);
}

/** Splits a long text of clean HTML, and lists its headings, which get ids. */
export function readLongText(html: string): LongText {
  const { text, chapters } = withChapters(withFocusableTables(html));
  const [shown, rest] = foldHtml(text);
  const notes = NOTES.exec(rest)?.[0] ?? '';
  const folded = notes === '' ? rest : rest.slice(0, -notes.length);
  const count = (pattern: RegExp) => folded.match(pattern)?.length ?? 0;
  const words = folded === '' ? 0 : folded.replaceAll(TAGS, ' ').split(/\s+/).filter(Boolean).length;
  const extent = { words, chapters: count(HEADING), notes: count(/ role="doc-noteref"/g) };
  const hasHeadings = /<h[3-6][ >]/.test(text);
  return { shown, folded, notes, chapters, extent, hasHeadings };
}

/** Gives the headings of a text ids, if they are to be listed. */
function withChapters(html: string): { text: string; chapters: LongText['chapters'] } {
  const levels = Array.from(html.matchAll(HEADING), ([, level]) => Number(level));
  if (levels.length < FEWEST_CHAPTERS) return { text: html, chapters: [] };
  const listed = (level: number) => levels.filter((each) => each <= level).length;
  const enough = [3, 4, 5, 6].filter((level) => listed(level) >= FEWEST_CHAPTERS);
  const deepest = enough.findLast((level) => listed(level) <= MOST_CHAPTERS) ?? enough[0] ?? 0;
  const chapters: { id: string; title: string }[] = [];
  const text = html.replaceAll(HEADING, (heading, level: string, attributes: string, content: string) => {
    const title = content.replaceAll(TAGS, '').replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
    const isListed = Number(level) <= deepest && chapters.length < MOST_CHAPTERS;
    if (!isListed || title.trim() === '') return heading;
    const own = / id="([^"]*)"/.exec(attributes)?.[1];
    const id = own ?? `chapter-${chapters.length + 1}`;
    chapters.push({ id, title: title.trim() });
    return own === undefined ? `<h${level}${attributes} id="${id}">${content}</h${level}>` : heading;
  });
  return { text, chapters };
}
