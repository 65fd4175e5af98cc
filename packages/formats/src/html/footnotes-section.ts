import type { Tag } from './walk-html.ts';

/** The class of the section that holds footnotes: a text without the word has none. */
export const FOOTNOTES = 'footnotes';

/** Whether a `section` tag opens the footnotes; any other ends them. */
export function opensFootnotes({ closing, attributes }: Tag): boolean {
  return !closing && attributes.includes(FOOTNOTES);
}
