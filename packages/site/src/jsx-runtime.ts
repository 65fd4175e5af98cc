import type { JSX as Preact } from 'preact';

/** Finished markup: all texts in it are escaped. */
class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** The content of an element: markup unchanged, texts escaped, numbers as digits; other values show nothing. */
export type Children = Markup | string | number | boolean | null | undefined | readonly Children[];

interface Props {
  children?: Children;
  [name: string]: unknown;
}

/** The types for JSX: the elements and attributes are those of preact. */
export declare namespace JSX {
  type Element = Children;
  /** Each component has its own properties. */
  type ElementType = keyof IntrinsicElements | ((props: never) => Children);
  interface ElementChildrenAttribute {
    children: unknown;
  }
  type IntrinsicElements = {
    [Tag in keyof Preact.IntrinsicElements]: WithChildren<Preact.IntrinsicElements[Tag]>;
  };
}

/** Applies to each of several sets of attributes. */
type WithChildren<Attributes> = Attributes extends unknown
  ? Omit<Attributes, 'children' | 'dangerouslySetInnerHTML'> & { children?: Children }
  : never;

/** Void elements, which have no content and no end tag. */
const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

/** Creates an element of JSX as markup at once, without a tree. Texts are always escaped. */
export function jsx(type: string | ((props: Props) => Children), props: Props): Children {
  if (typeof type === 'function') return type(props);
  let start = `<${type}`;
  let content = '';
  for (const name in props) {
    const value = props[name];
    if (name === 'children') content = toHtml(value as Children);
    else start += attribute(name, value);
  }
  if (content === '' && VOID_ELEMENTS.has(type)) return new Markup(`${start}/>`);
  return new Markup(`${start}>${content}</${type}>`);
}

/** The same for an element with several children. */
export const jsxs = jsx;

/** Several children without an element around them. */
export function Fragment({ children }: Props): Children {
  return children;
}

/** HTML that is inserted unchanged: clean already, or escaped for its place. */
export function cleanMarkup(html: string): Children {
  return new Markup(html);
}

/** Children as HTML. */
export function toHtml(children: Children): string {
  if (typeof children === 'string') return escapeHtml(children);
  if (children instanceof Markup) return children.html;
  if (typeof children === 'number') return String(children);
  if (typeof children !== 'object' || children === null) return '';
  let html = '';
  for (const child of children) html += toHtml(child);
  return html;
}

/** An attribute with a space before it; empty if it has no value. */
function attribute(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean' && !isEnumerated(name)) return value ? ` ${name}` : '';
  return value === '' ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
}

/** Whether an attribute takes the values `true` and `false`, as `aria-` and `data-` attributes do. */
function isEnumerated(name: string): boolean {
  return name[4] === '-' || name === 'spellcheck';
}

const SPECIAL = /["&<]/;
const ENTITIES: Readonly<Record<string, string>> = { '"': '&quot;', '&': '&amp;', '<': '&lt;' };

function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(/["&<]/g, (character) => ENTITIES[character] ?? '') : text;
}
