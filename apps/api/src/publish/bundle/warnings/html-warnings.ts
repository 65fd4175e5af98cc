import { type Attribute, attributeOf, walkHtml } from '@archiefkast/formats/walk-html';

/** What begins a script, in a tag or not: few texts have any, and only those are taken apart. */
const LIKE_SCRIPT = /<script|\son\w+\s*=|javascript:/i;
const NOTE = /^#(fn-?[\w:-]+)$/;
/** A plain mark, or what begins like one up to a space: every character is looked at once. */
const PLAIN_MARK = /\[\^[^\]\s]+\]?/g;

/** Whether HTML runs a script where a browser shows it as it is. */
export function hasScript(html: string): boolean {
  if (!LIKE_SCRIPT.test(html)) return false;
  let found = false;
  // A tag that does not end here ends with what follows the text on a page.
  walkHtml(`${html} '">`, {
    text() {},
    tag({ name, closing, attributes }) {
      found ||= (name === 'script' && !closing) || attributes.some(runsScript);
    },
  });
  return found;
}

function runsScript([name, value]: Attribute): boolean {
  return /^on\w/.test(name) || (/(?:href|src)$/.test(name) && /^\s*javascript:/i.test(value));
}

/** The first footnote mark in HTML that has no note; undefined when all have one. */
export function markWithoutNote(html: string): string | undefined {
  return linkWithoutNote(html) ?? plainMark(html);
}

function linkWithoutNote(html: string): string | undefined {
  if (!html.includes('#fn')) return undefined;
  const marks: string[] = [];
  const ids = new Set<string>();
  walkHtml(html, {
    text() {},
    tag(tag) {
      const name = NOTE.exec(attributeOf(tag, 'href'))?.[1];
      if (name !== undefined && !name.startsWith('fnref')) marks.push(name);
      ids.add(attributeOf(tag, 'id'));
    },
  });
  const missing = marks.find((name) => !ids.has(name));
  return missing === undefined ? undefined : `#${missing}`;
}

function plainMark(html: string): string | undefined {
  for (const [mark] of html.matchAll(PLAIN_MARK)) if (mark.endsWith(']')) return mark;
  return undefined;
}
