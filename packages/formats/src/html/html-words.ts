import { decodeHTML } from 'entities/decode';
import { opensFootnotes, walkHtml } from './walk-html.ts';

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
 * Extracts the words of an HTML fragment for indexing: no tags, comments, scripts or footnote markers (docs/contract.md: a `sup`
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
