import { createRequire } from 'node:module';
import type * as htmlparser2 from 'htmlparser2';

const load = createRequire(import.meta.url);
let parser: typeof htmlparser2 | undefined;

/** htmlparser2, which is loaded with the first text: a program starts sooner without its files. */
export function htmlParser(): typeof htmlparser2 {
  parser ??= load('htmlparser2') as typeof htmlparser2;
  return parser;
}

/** A tag of HTML; a comment or declaration has the name `!`. */
export interface Tag {
  /** In lower case. */
  name: string;
  closing: boolean;
  attributes: readonly Attribute[];
}

/** An attribute: its name in lower case, its value with its character references. */
export type Attribute = readonly [name: string, value: string];

/** The value of an attribute, the first of its name; empty where there is none. */
export function attributeOf({ attributes }: Tag, name: string): string {
  return attributes.find(([each]) => each === name)?.[1] ?? '';
}

/** Is told of what an HTML fragment consists of, in order. */
export interface HtmlVisitor {
  /** Text, with its character references. */
  text(raw: string): void;
  tag(tag: Tag): void;
}

/** Elements whose content is no text. */
const HIDDEN = new Set(['script', 'style', 'template']);

/** Attributes of a tag that are told: of more, only the first. */
const MOST_ATTRIBUTES = 10_000;

const NO_ATTRIBUTES: readonly Attribute[] = [];
const OTHER: Tag = { name: '!', closing: false, attributes: NO_ATTRIBUTES };

/**
 * Walks through an HTML fragment. Any text is taken, well formed or not, in time linear in its length: tags are told
 * as they stand, and not matched with each other. What scripts, styles and templates hold is left out, and so is a
 * tag that does not end.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  let name = '';
  let attributes: Attribute[] = [];
  let attribute = '';
  let value = '';
  /** The element whose content is left out at the moment. */
  let hidden = '';
  /** Text that was not told yet: the tokenizer parts it at every `<`. */
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
        if (attributes.length < MOST_ATTRIBUTES) attributes.push([attribute, value]);
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
      // Character references are left to the visitor: these two are not called.
      onattribentity() {},
      ontextentity() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  endText();
}

/** The class of the section that holds footnotes: a text without the word has none. */
export const FOOTNOTES = 'footnotes';

/** Whether a `section` tag opens the footnotes; any other ends them. */
export function opensFootnotes(tag: Tag): boolean {
  return !tag.closing && attributeOf(tag, 'class').includes(FOOTNOTES);
}
