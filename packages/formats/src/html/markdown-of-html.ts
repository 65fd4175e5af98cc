import { decodeHTML } from 'entities/decode';
import { excessOfHtml } from './html-bounds.ts';
import { excessOfMarkdown, htmlOfMarkdown } from './markdown.ts';
import { attributeOf, type Tag, walkHtml } from './walk-html.ts';

/** An element with its content. */
interface Element {
  tag: Tag;
  content: (Element | string)[];
}

/** Writes a text as Markdown. */
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
  const root = parse(html);
  if (!root) return undefined;
  for (const write of TEXT_WRITERS) {
    const markdown = blocksOf(root.content, write).join('\n\n');
    if (markdown !== '' && !excessOfMarkdown(markdown) && htmlOfMarkdown(markdown) === html) return markdown;
  }
  return undefined;
}

/** Elements without content. */
const EMPTY = new Set(['br', 'hr', 'img']);

/** Parses HTML whose elements are all closed in order; undefined for any other. */
function parse(html: string): Element | undefined {
  const root: Element = { tag: { name: '', closing: false, attributes: [] }, content: [] };
  const open = [root];
  let isSound = true;
  walkHtml(html, {
    text: (raw) => open.at(-1)?.content.push(decodeHTML(raw)),
    tag(tag) {
      if (tag.closing) {
        isSound &&= open.pop()?.tag.name === tag.name && open.length > 0;
        return;
      }
      const element: Element = { tag, content: [] };
      open.at(-1)?.content.push(element);
      if (!EMPTY.has(tag.name)) open.push(element);
    },
  });
  return isSound && open.length === 1 ? root : undefined;
}

/** The blocks of some content; a run of texts and inline elements is one. */
function blocksOf(content: Element['content'], write: TextWriter): string[] {
  const blocks: string[] = [];
  let inline: Element['content'] = [];
  const endInline = () => {
    const text = inlineOf(inline, write).trim();
    if (text !== '') blocks.push(text);
    inline = [];
  };
  for (const each of content) {
    const block = typeof each === 'string' ? undefined : blockOf(each, write);
    if (block === undefined) {
      inline.push(each);
      continue;
    }
    endInline();
    blocks.push(block);
  }
  endInline();
  return blocks;
}

/** A block element as Markdown; undefined for an inline element. */
function blockOf({ tag, content }: Element, write: TextWriter): string | undefined {
  const heading = /^h([1-6])$/.exec(tag.name);
  if (heading) return `${'#'.repeat(Number(heading[1]))} ${inlineOf(content, write)}`;
  switch (tag.name) {
    case 'p':
      return inlineOf(content, write).trimEnd();
    case 'hr':
      return '---';
    case 'blockquote':
      return indented(blocksOf(content, write).join('\n\n'), '> ', '> ').replaceAll(/^> $/gm, '>');
    case 'pre':
      return `\`\`\`\n${textOf(content).trimEnd()}\n\`\`\``;
    case 'ul':
    case 'ol':
      return listOf(tag, content, write);
    case 'section':
      return content.flatMap((list) => (typeof list === 'string' ? [] : notesOf(list, write))).join('\n\n');
    default:
      return undefined;
  }
}

function listOf(tag: Tag, content: Element['content'], write: TextWriter): string {
  const first = Number(attributeOf(tag, 'start') || 1);
  const items = elementsOf(content, 'li');
  const isLoose = items.some((item) => elementsOf(item.content, 'p').length > 0);
  const gap = isLoose ? '\n\n' : '\n';
  return items
    .map((item, place) => {
      const mark = tag.name === 'ul' ? '- ' : `${first + place}. `;
      return indented(blocksOf(item.content, write).join(gap), mark, ' '.repeat(mark.length));
    })
    .join(gap);
}

function notesOf({ content }: Element, write: TextWriter): string[] {
  return elementsOf(content, 'li').map((item) => {
    const name = attributeOf(item.tag, 'id').replace(/^fn-/, '');
    return indented(blocksOf(item.content, write).join('\n\n'), `[^${name}]: `, '    ');
  });
}

function inlineOf(content: Element['content'], write: TextWriter): string {
  return content
    .map((each, place) => {
      if (typeof each !== 'string') return inlineElement(each, write);
      const before = content[place - 1];
      const isAfterBreak = typeof before === 'object' && before.tag.name === 'br';
      return write(isAfterBreak ? each.replace(/^\n/, '') : each);
    })
    .join('');
}

function inlineElement({ tag, content }: Element, write: TextWriter): string {
  const inner = inlineOf(content, write);
  switch (tag.name) {
    case 'em':
      return `*${inner}*`;
    case 'strong':
      return `**${inner}**`;
    case 's':
      return `~~${inner}~~`;
    case 'code':
      return `\`${textOf(content)}\``;
    case 'br':
      return '\\\n';
    case 'img':
      return `![${write(decodeHTML(attributeOf(tag, 'alt')))}](${addressOf(tag, 'src')})`;
    case 'sup':
      return `[^${attributeOf(elementsOf(content, 'a')[0]?.tag ?? tag, 'href').replace(/^#fn-/, '')}]`;
    case 'a':
      // The link of a footnote back to its mark is made with the footnote.
      return attributeOf(tag, 'href').startsWith('#fnref-') ? '' : `[${inner}](${addressOf(tag, 'href')})`;
    default:
      return inner;
  }
}

/** The address of a link or image, and its title. */
function addressOf(tag: Tag, name: string): string {
  const address = decodeHTML(attributeOf(tag, name));
  const title = decodeHTML(attributeOf(tag, 'title'));
  const plain = /[\s()<>]/.test(address) || address === '' ? `<${address}>` : address;
  return title === '' ? plain : `${plain} "${title.replaceAll('"', '\\"')}"`;
}

function elementsOf(content: Element['content'], name: string): Element[] {
  return content.filter((each): each is Element => typeof each === 'object' && each.tag.name === name);
}

function textOf(content: Element['content']): string {
  return content.map((each) => (typeof each === 'string' ? each : textOf(each.content))).join('');
}

/** Puts `first` before the first line of a text, and `rest` before the others that are not empty. */
function indented(text: string, first: string, rest: string): string {
  return first + text.replaceAll(/\n(?=.)/g, `\n${rest}`).replaceAll(/\n(?=\n)/g, `\n${rest.trimEnd()}`);
}
