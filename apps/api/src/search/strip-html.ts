import { decodeHTML } from 'entities/decode';

/** The words of an HTML fragment. */
export interface HtmlText {
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

/** Elements whose content is no text. */
const HIDDEN = new Set(['script', 'style', 'template']);

/**
 * The plain text of an HTML fragment, for indexing: no tags, comments, scripts or footnote markers (contract.md: a
 * `sup` per footnote and a closing `section` of class `footnotes`), entities decoded. Any text is taken, well
 * formed or not, in time linear in its length; a tag that is never closed swallows the rest, as in a browser.
 */
export function stripHtml(html: string): HtmlText {
  const parts: HtmlText = { text: '', footnotes: '' };
  let into: keyof HtmlText = 'text';
  let sup = -1;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open !== at) parts[into] += html.slice(at, open < 0 ? html.length : open);
    if (open < 0) break;
    const tag = readTag(html, open);
    at = tag.end;
    if (tag.name === '') parts[into] += html.slice(open, tag.end);
    else if (!INLINE.has(tag.name)) parts[into] += ' ';

    if (tag.name === 'sup') {
      if (tag.closing && sup >= 0) sup = -1;
      else if (!tag.closing) sup = parts[into].length;
    } else if (tag.name === 'a' && tag.closing && sup >= 0) {
      parts[into] = parts[into].slice(0, sup);
    } else if (tag.name === 'section') {
      into = !tag.closing && tag.attributes.includes('footnotes') ? 'footnotes' : 'text';
    } else if (HIDDEN.has(tag.name) && !tag.closing) {
      at = endOfHidden(html, at, tag.name);
    }
  }
  return { text: decodeHTML(parts.text), footnotes: decodeHTML(parts.footnotes) };
}

/** A tag, or a comment or declaration (name `!`), or a `<` that begins neither (name `""`). */
interface Tag {
  name: string;
  closing: boolean;
  attributes: string;
  end: number;
}

const TAG_START = /<(\/?)([a-z][^\s/>]*)/iy;

function readTag(html: string, open: number): Tag {
  TAG_START.lastIndex = open;
  const start = TAG_START.exec(html);
  if (start?.[2]) {
    const end = endOfTag(html, TAG_START.lastIndex);
    const attributes = html.slice(TAG_START.lastIndex, end);
    return { name: start[2].toLowerCase(), closing: start[1] === '/', attributes, end };
  }
  const isComment = html.startsWith('<!--', open);
  if (!isComment && !/[!?/]/.test(html.charAt(open + 1))) {
    return { name: '', closing: false, attributes: '', end: open + 1 };
  }
  const end = isComment ? after(html, '-->', open + 4) : after(html, '>', open);
  return { name: '!', closing: false, attributes: '', end };
}

/** Where a tag ends: after the first `>` outside quotes, or at the end of the text. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && html.charAt(at - 1) === '=') quote = character;
  }
  return html.length;
}

function endOfHidden(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}
