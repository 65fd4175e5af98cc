import { sanitize } from '../sanitize.ts';

/** The words of HTML, without footnotes. */
export function plainText(html: string): string {
  return sanitize(html.replace(/<sup[^>]*>.*?<\/sup>|<section class="footnotes">.*/gs, ''), {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: (text) => text,
  })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
