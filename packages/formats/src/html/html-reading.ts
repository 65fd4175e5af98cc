import { decodeHTML } from 'entities/decode';
import { FOOTNOTES, opensFootnotes } from './footnotes-section.ts';
import { createParagraphs, type Paragraphs } from './paragraphs.ts';
import { type Tag, walkHtml } from './walk-html.ts';

/** An HTML fragment as a reader has it before them. */
export interface HtmlReading {
  /** Paragraphs with an empty line between them; lines of lists begin with a mark, footnotes are marked as `[1]`. */
  text: string;
  footnotes: Footnote[];
}

/** A footnote: an item of the closing `section` of class `footnotes`. */
export interface Footnote {
  number: number;
  text: string;
  /** Where it links to, the way back into the text apart. */
  links: string[];
}

const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const START = /\bstart\s*=\s*["']?(\d+)/i;

/** The footnotes of an HTML fragment: what has none is not read. */
export function footnotesOf(html: string): Footnote[] {
  return html.includes(FOOTNOTES) ? htmlReading(html).footnotes : [];
}

/** An HTML fragment for reading: plain text, in paragraphs, with its footnotes apart. */
export function htmlReading(html: string): HtmlReading {
  const body = createParagraphs();
  const footnotes: { number: number; content: Paragraphs; links: string[] }[] = [];
  let into = body;
  let inFootnotes = false;
  let next = 1;
  let inSup = false;
  /** What a footnote's marker holds so far; undefined outside of one. */
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

  function link({ closing, attributes }: Tag): void {
    endMarker();
    isWayBack = false;
    if (closing) return;
    const target = HREF.exec(attributes);
    const href = decodeHTML(target?.[1] ?? target?.[2] ?? target?.[3] ?? '');
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
      const { name, closing, attributes } = tag;
      if (name === 'a') return link(tag);
      if (name === 'sup') {
        endMarker();
        inSup = !closing;
      } else if (name === 'section') {
        inFootnotes = opensFootnotes(tag);
        into = body;
      } else if (inFootnotes && name === 'ol' && footnotes.length === 0) {
        next = Number(START.exec(attributes)?.[1] ?? 1);
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
