import { createRequire } from 'node:module';
import { excessOfHtml } from '@archiefkast/formats/html-bounds';
import { htmlOfText, htmlReading } from '@archiefkast/formats/html-reading';
import { LRUCache } from 'lru-cache';
import type sanitizeHtml from 'sanitize-html';

const load = createRequire(import.meta.url);
let sanitizer: typeof sanitizeHtml | undefined;

/** Cleans HTML by sanitize-html, which is loaded with the first text: a server starts sooner without its forty files. */
function sanitize(html: string, options: sanitizeHtml.IOptions): string {
  sanitizer ??= load('sanitize-html') as typeof sanitizeHtml;
  return sanitizer(html, options);
}

/** Headings of a record stand below the page's own and those of its sections. */
const LOWERED: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  h6: 'h6',
};

/** Attributes that a page may show, or that say what it makes of an element. */
const ATTRIBUTES = new Set('id lang dir href class scope colspan rowspan start'.split(' '));

const TAGS =
  'p br hr em strong i b u s sub sup small q cite abbr code a ul ol li dl dt dd blockquote pre h3 h4 h5 h6 table caption thead tbody tr th td section span div'.split(
    ' ',
  );

/**
 * HTML of a record as a page may show it: what could run, load or disguise is gone. Ids have a prefix, so that two texts
 * on a page do not clash; an anchor to nothing is no link; headings are below the page's own. Plain text where there is
 * too much markup to clean (`excessOfHtml`).
 */
export function cleanHtml(html: string, prefix: string, noteLabels: NoteLabels): string {
  if (excessOfHtml(html) !== undefined) return plainHtml(html);
  const seen = new Set<string>();
  const own = (attributes: sanitizeHtml.Attributes, name = attributes['id']): sanitizeHtml.Attributes => {
    const others: sanitizeHtml.Attributes = {};
    // What a link or a section says to screen readers is said here, and not by the record.
    for (const key in attributes) {
      if (key !== 'id' && ATTRIBUTES.has(key)) others[key] = attributes[key] ?? '';
    }
    const id = name && `${prefix}-${encodeURIComponent(name)}`;
    if (!id || seen.has(id)) return others;
    seen.add(id);
    return { ...others, id };
  };
  const cleaned = sanitize(html, {
    allowedTags: TAGS,
    allowedAttributes: {
      '*': ['id', 'lang', 'dir'],
      a: ['href', 'aria-label', 'role', 'rel'],
      section: ['class', 'role', 'aria-label'],
      sup: ['class'],
      th: ['scope', 'colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
      ol: ['start'],
    },
    allowedClasses: { section: ['footnotes'], sup: ['footnote-ref'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'template',
      'title',
      'xmp',
      'iframe',
      'noembed',
    ],
    transformTags: {
      '*': (tagName, attributes) => {
        const attribs = own(attributes);
        if (tagName === 'a') return { tagName, attribs: linkAttributes(attribs, prefix, noteLabels) };
        if (tagName === 'section') return { tagName, attribs: sectionAttributes(attribs, noteLabels) };
        return { tagName: LOWERED[tagName] ?? tagName, attribs };
      },
    },
  });
  return cleaned.replaceAll(ANCHOR, (link, before: string, id: string) => (seen.has(id) ? link : before));
}

/** A link to an anchor, with what it says to screen readers: in a tag, for `<` and `>` stand nowhere else in clean HTML. */
const ANCHOR = /(<a(?: [^>]*?)?) href="#([^"]*)"(?: role="[^"]*")?(?: aria-label="[^"]*")?/g;

/** The words of a text, with its footnotes at the end, as HTML of paragraphs and lines. */
function plainHtml(html: string): string {
  const { text, footnotes } = htmlReading(html);
  return htmlOfText([text, ...footnotes.map((note) => `[${note.number}] ${note.text}`)].join('\n\n'));
}

/** What footnotes are called by screen readers, in the language of the page. */
export interface NoteLabels {
  notes: string;
  note: string;
  back: string;
}

function linkAttributes(
  attributes: sanitizeHtml.Attributes,
  prefix: string,
  { note, back }: NoteLabels,
): sanitizeHtml.Attributes {
  const { href = '', id = '', ...others } = attributes;
  const named = { ...others, ...(id && { id }) };
  if (!href.startsWith('#'))
    return /^(?:https?|mailto):/i.test(href) ? { ...named, href, rel: 'noopener nofollow' } : named;
  const target = `#${prefix}-${encodeURIComponent(href.slice(1))}`;
  if (href.startsWith('#fnref')) return { ...named, href: target, role: 'doc-backlink', 'aria-label': back };
  const number = /(?<!\d)\d+$/.exec(href)?.[0];
  const isNote = href.startsWith('#fn') && number !== undefined;
  return {
    ...named,
    href: target,
    ...(isNote && { role: 'doc-noteref', 'aria-label': `${note} ${number}` }),
  };
}

function sectionAttributes(
  attributes: sanitizeHtml.Attributes,
  { notes }: NoteLabels,
): sanitizeHtml.Attributes {
  return attributes['class'] === 'footnotes'
    ? { ...attributes, role: 'doc-endnotes', 'aria-label': notes }
    : attributes;
}

/** Characters that are kept of texts, as they came and cleaned: a text stays the same from edition to edition, and in every content coding. */
const KEPT_CHARACTERS = 8 * 2 ** 20;

const cleaned = new LRUCache<string, string>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (html, key) => html.length + key.length,
});

/** What `cleanHtml` makes of a text, which is cleaned once as long as it is kept. */
export function cleanOnce(...text: Parameters<typeof cleanHtml>): string {
  const key = JSON.stringify(text);
  const kept = cleaned.get(key);
  if (kept !== undefined) return kept;
  const html = cleanHtml(...text);
  cleaned.set(key, html);
  return html;
}
