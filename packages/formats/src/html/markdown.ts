import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';

/** Which footnote a token is about, and which of the marks that name it. */
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

// A note of one paragraph needs no <p>.
renderer.core.ruler.after('footnote_tail', 'footnote_paragraphs', ({ tokens }) => {
  for (const [start, { type }] of tokens.entries()) {
    if (type !== 'footnote_open') continue;
    const end = tokens.findIndex((token, place) => place > start && token.type === 'footnote_close');
    const note = tokens.slice(start + 1, end);
    const isParagraph = note[0]?.type === 'paragraph_open';
    if (!isParagraph || note.filter(({ level }) => level === note[0]?.level).length > 2) continue;
    for (const token of note) if (token.tag === 'p') token.hidden = true;
  }
});

/** HTML of Markdown with footnotes (`[^1]`), in the contract's footnote markup. HTML in it is shown, not meant. */
export function htmlOfMarkdown(markdown: string): string {
  return renderer.render(markdown, {}).trimEnd();
}

function rule(render: (meta: FootnoteMeta) => string) {
  return (tokens: readonly { meta: FootnoteMeta }[], place: number) => {
    const token = tokens[place];
    return token ? render(token.meta) : '';
  };
}

/** The id of a mark: the first mark of a note is `fnref-1`, the next `fnref-1-2`. */
function markName({ id, subId }: FootnoteMeta): string {
  return subId > 0 ? `fnref-${id + 1}-${subId + 1}` : `fnref-${id + 1}`;
}
