import { LRUCache } from 'lru-cache';
import { cleanHtml } from './clean-html.ts';

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
