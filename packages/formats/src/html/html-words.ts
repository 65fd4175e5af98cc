import { decodeHTML } from 'entities/decode';
import { opensFootnotes } from './footnotes-section.ts';
import { walkHtml } from './walk-html.ts';

/** The words of an HTML fragment. */
export interface HtmlWords {
  /** What the reader reads, without footnotes; with whatever space the markup leaves. */
  text: string;
  /** The sources: what stands in the closing `section` of class `footnotes`. */
  footnotes: string;
}

/** Elements that stand inside a word or sentence: taking them away leaves no space. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

/**
 * The words of an HTML fragment, for indexing: no tags, comments, scripts or footnote markers (contract.md: a `sup`
 * per footnote and a closing `section` of class `footnotes`), character references decoded.
 */
export function htmlWords(html: string): HtmlWords {
  const parts: HtmlWords = { text: '', footnotes: '' };
  let into: keyof HtmlWords = 'text';
  let sup = -1;
  walkHtml(html, {
    text(raw) {
      parts[into] += raw;
    },
    tag(tag) {
      const { name, closing } = tag;
      if (!INLINE.has(name)) parts[into] += ' ';
      if (name === 'sup') {
        if (closing && sup >= 0) sup = -1;
        else if (!closing) sup = parts[into].length;
      } else if (name === 'a' && closing && sup >= 0) {
        parts[into] = parts[into].slice(0, sup);
      } else if (name === 'section') {
        into = opensFootnotes(tag) ? 'footnotes' : 'text';
      }
    },
  });
  return { text: decodeHTML(parts.text), footnotes: decodeHTML(parts.footnotes) };
}
