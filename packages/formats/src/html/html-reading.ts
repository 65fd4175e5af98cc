import { decodeHTML } from 'entities/decode';
import { FOOTNOTES, opensFootnotes } from './footnotes-section.ts';
import { createParagraphs } from './paragraphs.ts';
import { attributeOf, type Tag, walkHtml } from './walk-html.ts';

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

/** The footnotes of an HTML fragment: what has none is not read. */
export function footnotesOf(html: string): Footnote[] {
  return html.includes(FOOTNOTES) ? htmlReading(html).footnotes : [];
}

/** An HTML fragment for reading: plain text, in paragraphs, with its footnotes apart. */
export function htmlReading(html: string): HtmlReading {
  const body = createParagraphs();
  const footnotes: Footnote[] = [];
  let into = body;
  let inFootnotes = false;
  let next = 1;
  let inSup = false;
  /** What a footnote's marker holds so far; undefined outside of one. */
  let marker: string | undefined;
  let isWayBack = false;

  function beginFootnote(): void {
    endFootnote();
    into = createParagraphs();
    footnotes.push({ number: next, text: '', links: [] });
    next += 1;
  }

  function endFootnote(): void {
    const last = footnotes.at(-1);
    if (into !== body && last) last.text = into.toString();
    into = body;
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
        endFootnote();
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
  endFootnote();
  return { text: body.toString(), footnotes };
}
