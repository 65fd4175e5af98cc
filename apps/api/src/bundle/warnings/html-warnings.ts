const SCRIPT = /<script\b|<[^>]*\son\w+\s*=|(?:href|src)\s*=\s*["']?\s*javascript:/i;
const MARK = /href="#(fn-?[\w:-]+)"/g;
const PLAIN_MARK = /\[\^[^\]\s]+\]/;

/** Whether HTML runs a script where a browser shows it as it is. */
export function hasScript(html: string): boolean {
  return SCRIPT.test(html);
}

/** The first footnote mark in HTML that has no note; undefined when all have one. */
export function markWithoutNote(html: string): string | undefined {
  // Few texts have any: looking for what begins one is much quicker.
  if (html.includes('href="#fn')) {
    for (const [, name = ''] of html.matchAll(MARK)) {
      if (!name.startsWith('fnref') && !html.includes(`id="${name}"`)) return `#${name}`;
    }
  }
  return html.includes('[^') ? PLAIN_MARK.exec(html)?.[0] : undefined;
}
