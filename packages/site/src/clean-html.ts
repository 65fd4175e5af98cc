import { htmlOfText, htmlReading } from '@archiefkast/formats/html-reading';
import { excessOfHtml } from '@archiefkast/formats/walk-html';
import sanitizeHtml from 'sanitize-html';
import type { Texts } from './texts.ts';

/** The tag of a heading of a record, which is below those of the page and its sections; other tags unchanged. */
function lowered(tag: string): string {
  return tag.replace(/^h([1-6])$/, (_, level) => `h${Math.min(6, Math.max(3, Number(level) + 1))}`);
}

/** The tag of a heading of a page of the archive itself, which is below the title; other tags unchanged. */
function belowTitle(tag: string): string {
  return tag === 'h1' ? 'h2' : tag;
}

const TAGS =
  'p br hr em strong i b u s sub sup small q cite abbr code a ul ol li dl dt dd blockquote pre h3 h4 h5 h6 table caption thead tbody tr th td section span div'.split(
    ' ',
  );

/** The beginning of the ids of a text, which do not clash with those of its page. */
const PREFIX = 'text-';

/**
 * Cleans the HTML of a record for a page: removes scripts, external resources and disguises. Ids get a prefix; links to missing anchors are removed; headings are lowered. Plain text if there is
 * too much markup (`excessOfHtml`).
 *
 * @param pictureAddress of a page of the archive itself, which may have pictures: the link to one
 */
export function cleanHtml(
  html: string,
  noteLabels: NoteLabels,
  pictureAddress?: (source: string) => string,
): string {
  if (excessOfHtml(html) !== undefined) return plainHtml(html);
  const seen = new Set<string>();
  // Roles, labels and relations are set here, not by the record.
  const own = ({ id, role, rel, 'aria-label': _, ...others }: sanitizeHtml.Attributes) => {
    const unique = id && PREFIX + encodeURIComponent(id);
    if (!unique || seen.has(unique)) return others;
    seen.add(unique);
    return { ...others, id: unique };
  };
  const cleaned = sanitizeHtml(html, {
    allowedTags: pictureAddress ? [...TAGS, 'h2', 'img'] : TAGS,
    allowedAttributes: {
      '*': ['id', 'lang', 'dir'],
      a: ['href', 'aria-label', 'role', 'rel'],
      img: ['src', 'alt', 'loading'],
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
    nonTextTags: 'script style textarea option noscript template title xmp iframe noembed'.split(' '),
    transformTags: {
      '*': (tagName, attributes) => {
        const attribs = own(attributes);
        if (tagName === 'a') return { tagName, attribs: linkAttributes(attribs, noteLabels) };
        const isNotes = tagName === 'section' && attribs['class'] === 'footnotes';
        const label = isNotes && { role: 'doc-endnotes', 'aria-label': noteLabels.notes };
        if (tagName === 'img' && pictureAddress) {
          const { src = '', alt = '' } = attributes;
          return { tagName, attribs: { src: pictureAddress(src), alt, loading: 'lazy' } };
        }
        const headed = pictureAddress ? belowTitle(tagName) : lowered(tagName);
        return { tagName: headed, attribs: { ...attribs, ...label } };
      },
    },
  });
  return cleaned.replaceAll(ANCHOR, (link, before: string, id: string) => (seen.has(id) ? link : before));
}

/** A link to an anchor, with its ARIA attributes: `<` and `>` only occur around tags in clean HTML. */
const ANCHOR = /(<a(?: [^>]*?)?) href="#([^"]*)"(?: role="[^"]*")?(?: aria-label="[^"]*")?/g;

/** The words of a text, with its footnotes at the end, as HTML with paragraphs and line breaks. */
function plainHtml(html: string): string {
  const { text, footnotes } = htmlReading(html);
  return htmlOfText([text, ...footnotes.map((note) => `[${note.number}] ${note.text}`)].join('\n\n'));
}

/** The labels of footnotes for screen readers. */
type NoteLabels = Pick<Texts, 'notes' | 'note' | 'back'>;

function linkAttributes(
  { href = '', id = '', ...others }: sanitizeHtml.Attributes,
  { note, back }: NoteLabels,
): sanitizeHtml.Attributes {
  const named = { ...others, ...(id && { id }) };
  if (!href.startsWith('#'))
    return /^(?:https?|mailto):/i.test(href) ? { ...named, href, rel: 'noopener nofollow' } : named;
  const target = `#${PREFIX}${encodeURIComponent(href.slice(1))}`;
  if (href.startsWith('#fnref')) return { ...named, href: target, role: 'doc-backlink', 'aria-label': back };
  const number = /(?<!\d)\d+$/.exec(href)?.[0];
  const isNote = href.startsWith('#fn') && number !== undefined;
  return {
    ...named,
    href: target,
    ...(isNote && { role: 'doc-noteref', 'aria-label': `${note} ${number}` }),
  };
}

/** Characters of HTML that are shown at once, about a screen, and the fewest that are worth folding. */
const SHOWN = 2_200;
const FEWEST_FOLDED = 1_500;

/** Start and end tags of clean HTML, in which `<` and `>` occur only around tags. */
const TAG = /<(\/?)([a-z0-9]+)[^>]*>/g;
const VOID = new Set(['br', 'hr']);

/**
 * Splits a long text in two, between elements at the top level, so that the second part can be folded.
 *
 * @param html clean HTML, in which every element has an end tag
 * @returns the whole text and an empty string if it is too short, or cannot be split
 */
export function foldHtml(html: string): [shown: string, folded: string] {
  if (html.length < SHOWN + FEWEST_FOLDED) return [html, ''];
  let depth = 0;
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(TAG)) {
    if (VOID.has(name)) continue;
    depth += slash === '/' ? -1 : 1;
    const end = index + tag.length;
    if (depth > 0 || end < SHOWN) continue;
    return html.length - end < FEWEST_FOLDED ? [html, ''] : [html.slice(0, end), html.slice(end)];
  }
  return [html, ''];
}
