import type { parseDocument } from 'htmlparser2';
import { excessOfMarkdown, htmlOfMarkdown } from './markdown.ts';
import { excessOfHtml, htmlParser } from './walk-html.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { attribs: unknown }>;

type TextWriter = (text: string) => string;

/** All that Markdown gives a meaning. */
const SPECIAL = /[\\`*_{}[\]<>()#+\-.!|~^&]/g;

/** How texts are written, the most readable first. */
const TEXT_WRITERS: readonly TextWriter[] = [(text) => text, (text) => text.replaceAll(SPECIAL, '\\$&')];

/** Tags of HTML that Markdown can give. */
const OF_MARKDOWN =
  /<(?!\/?(?:p|em|strong|s|a|code|br|img|ul|ol|li|blockquote|pre|hr|h[1-6]|sup|section)[\s>/])/i;

/**
 * The Markdown of a text that is exactly what `htmlOfMarkdown` makes of it; undefined if no such Markdown is found, as for
 * HTML that was not written as Markdown.
 */
export function markdownOfHtml(html: string): string | undefined {
  if (!html.startsWith('<') || OF_MARKDOWN.test(html) || excessOfHtml(html)) return undefined;
  const { children } = htmlParser().parseDocument(html);
  for (const write of TEXT_WRITERS) {
    const markdown = blocksOf(children, write).join('\n\n');
    if (markdown !== '' && !excessOfMarkdown(markdown) && htmlOfMarkdown(markdown) === html) return markdown;
  }
  return undefined;
}

/** The blocks of some content; a run of texts and inline elements is one. */
function blocksOf(content: readonly Node[], write: TextWriter): string[] {
  const blocks: string[] = [];
  let inline: Node[] = [];
  const endInline = () => {
    const text = inlineOf(inline, write).trim();
    if (text !== '') blocks.push(text);
    inline = [];
  };
  for (const node of content) {
    const block = isElement(node) ? blockOf(node, write) : undefined;
    if (block === undefined) {
      inline.push(node);
      continue;
    }
    endInline();
    blocks.push(block);
  }
  endInline();
  return blocks;
}

/** A block element as Markdown; undefined for an inline element. */
function blockOf({ name, attribs, children }: Element, write: TextWriter): string | undefined {
  const items = elementsOf(children, 'li');
  switch (name) {
    case 'p':
      return inlineOf(children, write).trimEnd();
    case 'hr':
      return '---';
    case 'blockquote':
      return indented(blocksOf(children, write).join('\n\n'), '> ', '> ').replaceAll(/^> $/gm, '>');
    case 'pre':
      return `\`\`\`\n${textOf(children).trimEnd()}\n\`\`\``;
    case 'ul':
    case 'ol': {
      const gap = items.some((item) => elementsOf(item.children, 'p').length > 0) ? '\n\n' : '\n';
      const lines = items.map((item, place) => {
        const mark = name === 'ul' ? '- ' : `${Number(attribs['start'] || 1) + place}. `;
        return indented(blocksOf(item.children, write).join(gap), mark, ' '.repeat(mark.length));
      });
      return lines.join(gap);
    }
    case 'section': {
      const notes = elementsOf(children, 'ol').flatMap((list) => elementsOf(list.children, 'li'));
      const written = notes.map((note) => {
        const mark = `[^${note.attribs['id']?.replace(/^fn-/, '')}]: `;
        return indented(blocksOf(note.children, write).join('\n\n'), mark, '    ');
      });
      return written.join('\n\n');
    }
    default:
      return /^h\d$/.test(name) ? `${'#'.repeat(Number(name[1]))} ${inlineOf(children, write)}` : undefined;
  }
}

function inlineOf(content: readonly Node[], write: TextWriter): string {
  return content
    .map((node) => {
      if (isElement(node)) return inlineElement(node, write);
      if (!('data' in node)) return '';
      const { prev } = node;
      return write(prev && isElement(prev) && prev.name === 'br' ? node.data.replace(/^\n/, '') : node.data);
    })
    .join('');
}

const MARKS: Readonly<Record<string, string>> = { em: '*', strong: '**', s: '~~' };

function inlineElement({ name, attribs, children }: Element, write: TextWriter): string {
  const { href = '', src = '', alt = '' } = attribs;
  const inner = inlineOf(children, write);
  switch (name) {
    case 'code':
      return `\`${textOf(children)}\``;
    case 'br':
      return '\\\n';
    case 'img':
      return `![${write(alt)}](${addressOf(src, attribs)})`;
    case 'sup':
      return `[^${elementsOf(children, 'a')[0]?.attribs['href']?.replace(/^#fn-/, '')}]`;
    case 'a':
      // The link of a footnote back to its mark is made with the footnote.
      return href.startsWith('#fnref-') ? '' : `[${inner}](${addressOf(href, attribs)})`;
    default:
      return `${MARKS[name] ?? ''}${inner}${MARKS[name] ?? ''}`;
  }
}

function addressOf(address: string, { title = '' }: Element['attribs']): string {
  const plain = /[\s()<>]/.test(address) || address === '' ? `<${address}>` : address;
  return title === '' ? plain : `${plain} "${title.replaceAll('"', '\\"')}"`;
}

function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

function elementsOf(content: readonly Node[], name: string): Element[] {
  return content.filter((node): node is Element => isElement(node) && node.name === name);
}

function textOf(content: readonly Node[]): string {
  return content
    .map((node) => ('children' in node ? textOf(node.children) : 'data' in node ? node.data : ''))
    .join('');
}

/** Puts `first` before the first line of a text, and `rest` before the others that are not empty. */
function indented(text: string, first: string, rest: string): string {
  return first + text.replaceAll(/\n(?=.)/g, `\n${rest}`).replaceAll(/\n(?=\n)/g, `\n${rest.trimEnd()}`);
}
