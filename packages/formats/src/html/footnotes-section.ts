import { attributeOf, type Tag } from './walk-html.ts';

/** The class of the section that holds footnotes: a text without the word has none. */
export const FOOTNOTES = 'footnotes';

/** Whether a `section` tag opens the footnotes; any other ends them. */
export function opensFootnotes(tag: Tag): boolean {
  return !tag.closing && attributeOf(tag, 'class').includes(FOOTNOTES);
}
