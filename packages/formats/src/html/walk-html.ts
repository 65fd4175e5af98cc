import { createRequire } from 'node:module';
import type * as htmlparser2 from 'htmlparser2';

const load = createRequire(import.meta.url);
let parser: typeof htmlparser2 | undefined;

/** htmlparser2, loaded lazily to speed up the start of a program. */
export function htmlParser(): typeof htmlparser2 {
  parser ??= load('htmlparser2') as typeof htmlparser2;
  return parser;
}

/** An HTML tag; a comment or declaration has the name `!`. */
export interface Tag {
  name: string;
  closing: boolean;
  attributes: readonly Attribute[];
}

/** An attribute: name in lower case, and value with character references not decoded. */
export type Attribute = readonly [name: string, value: string];

/** The value of the first attribute with a name; empty if there is none. */
export function attributeOf({ attributes }: Tag, name: string): string {
  return attributes.find(([each]) => each === name)?.[1] ?? '';
}

/** Visits the parts of an HTML fragment in order. */
export interface HtmlVisitor {
  /** Visits a text, with character references not decoded. */
  text(raw: string): void;
  tag(tag: Tag): void;
}

/** Elements whose content is not text. */
const HIDDEN = new Set(['script', 'style', 'template']);

const NO_ATTRIBUTES: readonly Attribute[] = [];
const OTHER: Tag = { name: '!', closing: false, attributes: NO_ATTRIBUTES };

/**
 * Walks through an HTML fragment, well formed or not, in linear time. Tags are visited as written, without matching start
 * and end tags. The content of scripts, styles and templates is skipped, as is an unclosed tag.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  let name = '';
  let attributes: Attribute[] = [];
  let attribute = '';
  let value = '';
  /** The element whose content is being skipped. */
  let hidden = '';
  /** Text not visited yet: the tokenizer splits it at every `<`. */
  let textStart = 0;
  let textEnd = 0;

  const endText = () => {
    if (textEnd > textStart) visitor.text(html.slice(textStart, textEnd));
    textStart = textEnd;
  };
  const tell = (tag: Tag) => {
    if (hidden !== '') return;
    endText();
    visitor.tag(tag);
  };
  const other = () => tell(OTHER);
  const endOpenTag = () => {
    tell({ name, closing: false, attributes });
    if (hidden === '' && HIDDEN.has(name)) hidden = name;
    if (attributes.length > 0) attributes = [];
  };
  const { Tokenizer } = htmlParser();
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext(start, end) {
        if (hidden !== '') return;
        if (start !== textEnd) {
          endText();
          textStart = start;
        }
        textEnd = end;
      },
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase();
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata(start, end) {
        value = html.slice(start, end);
      },
      onattribend() {
        attributes.push([attribute, value]);
      },
      onopentagend: endOpenTag,
      onselfclosingtag: endOpenTag,
      onclosetag(start, end) {
        const closed = html.slice(start, end).toLowerCase();
        if (hidden === closed) hidden = '';
        tell({ name: closed, closing: true, attributes: NO_ATTRIBUTES });
      },
      oncomment: other,
      oncdata: other,
      ondeclaration: other,
      onprocessinginstruction: other,
      // Not called, because character references are left to the visitor.
      onattribentity() {},
      ontextentity() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  endText();
}

export const FOOTNOTES = 'footnotes';

/** Whether a `section` tag opens the footnotes; any other closes them. */
export function opensFootnotes(tag: Tag): boolean {
  return !tag.closing && attributeOf(tag, 'class').includes(FOOTNOTES);
}

/** Maximum nesting of elements that pages show. */
export const DEEPEST_HTML = 100;

/** Maximum number of tags in a text that pages show; every `<` counts. */
export const MOST_TAGS = 20_000;

/** Maximum number of attributes in a text that pages show. */
const MOST_ATTRIBUTES = 100_000;

/** A shorter text with at most `DEEPEST_HTML` tags is within all limits, and is not parsed. */
const SHORT = 100_000;

/**
 * Why a text has too much markup to be sanitised in linear time: too many tags, levels or attributes; undefined for any
 * normal text. Takes linear time.
 */
export function excessOfHtml(html: string): string | undefined {
  const tags = countTags(html);
  if (tags > MOST_TAGS) return `has more than ${MOST_TAGS.toLocaleString('en')} tags`;
  if (tags <= DEEPEST_HTML && html.length <= SHORT) return undefined;
  // Uses the same parser as the sanitiser of pages, and stops at the first limit.
  let depth = 0;
  let attributes = 0;
  let excess: string | undefined;
  const stop = (reason: string) => {
    excess = reason;
    parser.pause();
  };
  const { Parser } = htmlParser();
  const parser = new Parser(
    {
      onopentagname() {
        depth += 1;
        if (depth > DEEPEST_HTML) stop(`is nested deeper than ${DEEPEST_HTML} levels`);
      },
      onattribute() {
        attributes += 1;
        if (attributes > MOST_ATTRIBUTES)
          stop(`has more than ${MOST_ATTRIBUTES.toLocaleString('en')} attributes`);
      },
      onclosetag() {
        depth -= 1;
      },
    },
    { decodeEntities: false },
  );
  parser.write(html);
  return excess;
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1 && count <= MOST_TAGS; at = html.indexOf('<', at + 1))
    count += 1;
  return count;
}
