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
