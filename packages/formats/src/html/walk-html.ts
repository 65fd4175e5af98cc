/** A tag of HTML; a comment or declaration has the name `!`. */
export interface Tag {
  /** In lower case. */
  name: string;
  closing: boolean;
  /** What stands between its name and its end. */
  attributes: string;
}

/** Is told of what an HTML fragment consists of, in order. */
export interface HtmlVisitor {
  /** Text, with its character references. */
  text(raw: string): void;
  tag(tag: Tag): void;
}

/** Elements whose content is no text. */
const HIDDEN = new Set(['script', 'style', 'template']);

/**
 * Walks through an HTML fragment. Any text is taken, well formed or not, in time linear in its length; a tag that is
 * never closed swallows the rest, as in a browser. What scripts, styles and templates hold is left out.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open !== at) visitor.text(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) return;
    const tag = readTag(html, open);
    at = tag.end;
    if (tag.name === '') {
      visitor.text(html.slice(open, tag.end));
      continue;
    }
    visitor.tag(tag);
    if (HIDDEN.has(tag.name) && !tag.closing) at = endOfHidden(html, at, tag.name);
  }
}

/** A tag and where it ends; a `<` that begins none has the name `""`. */
interface PlacedTag extends Tag {
  end: number;
}

const TAG_START = /<(\/?)([a-z][^\s/>]*)/iy;

function readTag(html: string, open: number): PlacedTag {
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
  for (let at = from; at < html.length; at++) {
    const character = html.charAt(at);
    if (character === '>') return at + 1;
    if ((character !== '"' && character !== "'") || html.charAt(at - 1) !== '=') continue;
    at = html.indexOf(character, at + 1);
    if (at < 0) break;
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
