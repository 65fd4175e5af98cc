import { decodeHTML } from 'entities/decode';
import { opensFootnotes, walkHtml } from './walk-html.ts';

/** The words of an HTML fragment. */
export interface HtmlWords {
  /** The text without footnotes, with white space as in the markup. */
  text: string;
  /** The text of the closing `section` of class `footnotes`. */
  footnotes: string;
}

/** Inline elements, which are removed without leaving a space. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

/**
 * Extracts the words of an HTML fragment for indexing: no tags, comments, scripts or footnote markers (contract.md: a `sup`
 * per footnote and a closing `section` of class `footnotes`), character references decoded.
 */
export function htmlWords(html: string): HtmlWords {
  const text: string[] = [];
  const footnotes: string[] = [];
  let into = text;
  /** Number of parts before the open `sup`; -1 outside of one. */
  let sup = -1;
  walkHtml(html, {
    text(raw) {
      into.push(raw);
    },
    tag(tag) {
      const { name, closing } = tag;
      if (!INLINE.has(name)) into.push(' ');
      if (name === 'sup') {
        sup = closing ? -1 : into.length;
      } else if (name === 'a' && closing && sup >= 0) {
        into.length = sup;
      } else if (name === 'section') {
        into = opensFootnotes(tag) ? footnotes : text;
        sup = -1;
      }
    },
  });
  return { text: decodeHTML(text.join('')), footnotes: decodeHTML(footnotes.join('')) };
}

/** The text of an HTML fragment with decoded character references, without superscripts and footnotes. */
export function htmlText(html: string): string {
  const text: string[] = [];
  let sup = -1;
  let isOver = false;
  walkHtml(html, {
    text(raw) {
      if (!isOver) text.push(raw);
    },
    tag(tag) {
      if (tag.name === 'section' && opensFootnotes(tag)) isOver = true;
      if (tag.name !== 'sup') return;
      if (!tag.closing && sup < 0) sup = text.length;
      else if (tag.closing && sup >= 0) {
        text.length = sup;
        sup = -1;
      }
    },
  });
  return decodeHTML(text.join(''));
}
