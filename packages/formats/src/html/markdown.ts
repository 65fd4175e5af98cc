import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';

/** The footnote of a token, and the number of its mark. */
interface FootnoteMeta {
  id: number;
  subId: number;
}

const renderer = new MarkdownIt({ html: false }).use(footnotes);

Object.assign(renderer.renderer.rules, {
  footnote_ref: rule(
    (meta) =>
      `<sup class="footnote-ref"><a href="#fn-${meta.id + 1}" id="${markName(meta)}">${meta.id + 1}</a></sup>`,
  ),
  footnote_block_open: () => '<section class="footnotes"><ol>',
  footnote_block_close: () => '</ol></section>',
  footnote_open: rule(({ id }) => `<li id="fn-${id + 1}">`),
  footnote_close: () => '</li>',
  footnote_anchor: rule((meta) => ` <a href="#${markName(meta)}">&#8617;</a>`),
});

// A footnote of one paragraph needs no <p>.
renderer.core.ruler.after('footnote_tail', 'footnote_paragraphs', ({ tokens }) => {
  let start = 0;
  for (const [end, { type }] of tokens.entries()) {
    if (type === 'footnote_open') start = end + 1;
    if (type !== 'footnote_close') continue;
    const note = tokens.slice(start, end);
    const isParagraph = note[0]?.type === 'paragraph_open';
    if (!isParagraph || note.filter(({ level }) => level === note[0]?.level).length > 2) continue;
    for (const token of note) if (token.tag === 'p') token.hidden = true;
  }
});

/** Maximum length of Markdown, and maximum number of `[`, which take quadratic time. */
const LONGEST_MARKDOWN = 100_000;
const MOST_BRACKETS = 4_000;

/** Why a text takes too long to parse as Markdown; undefined if it does not. */
export function excessOfMarkdown(markdown: string): string | undefined {
  if (markdown.length > LONGEST_MARKDOWN)
    return `has more than ${LONGEST_MARKDOWN.toLocaleString('en')} characters`;
  const brackets = markdown.split('[').length - 1;
  return brackets > MOST_BRACKETS ? `has more than ${MOST_BRACKETS.toLocaleString('en')} "["` : undefined;
}

/**
 * Converts Markdown with footnotes (`[^1]`) to HTML with the contract's footnote markup. HTML in it is escaped. Check the
 * text with `excessOfMarkdown` first.
 */
export function htmlOfMarkdown(markdown: string): string {
  return renderer.render(markdown, {}).trimEnd();
}

function rule(render: (meta: FootnoteMeta) => string) {
  return (tokens: readonly { meta: FootnoteMeta }[], place: number) => {
    const token = tokens[place];
    return token ? render(token.meta) : '';
  };
}

/** The id of a mark: the first mark of a footnote is `fnref-1`, the next `fnref-1-2`. */
function markName({ id, subId }: FootnoteMeta): string {
  return subId > 0 ? `fnref-${id + 1}-${subId + 1}` : `fnref-${id + 1}`;
}
