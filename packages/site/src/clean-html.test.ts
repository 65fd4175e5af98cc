import { describe, expect, test } from 'vitest';
import { cleanHtml, foldHtml } from './clean-html.ts';

const clean = (html: string) => cleanHtml(html, { notes: 'Notes', note: 'Note', back: 'Back' });

describe('HTML of a record', () => {
  test.each([
    ['keeps its content', '<p>A <em>b</em>&amp;</p>', '<p>A <em>b</em>&amp;</p>'],
    ['lowers headings below those of the page', '<h1>A</h1><h4>B</h4>', '<h3>A</h3><h5>B</h5>'],
    ['removes scripts with their content', '<script>x</script><p onclick="x">A</p>', '<p>A</p>'],
    ['loses styles', '<style>p {}</style><p style="x" class="y">A</p>', '<p>A</p>'],
    ['loads nothing', '<img src="https://a.test/x"><iframe src="x">y</iframe>A', 'A'],
    ['removes links with scripts', '<a href="javascript:x">A</a>', '<a>A</a>'],
    ['removes links without a scheme', '<a href="//a.test/">A</a>', '<a>A</a>'],
    [
      'marks external links noopener and nofollow',
      '<a href="https://a.test/" target="_blank" rel="opener">A</a>',
      '<a href="https://a.test/" rel="noopener nofollow">A</a>',
    ],
    ['removes links to missing anchors', '<a href="#fn-9">9</a>', '<a>9</a>'],
    ['keeps text that looks like an anchor', '<p>write href="#x" so</p>', '<p>write href="#x" so</p>'],
    [
      'keeps links to existing anchors',
      '<abbr>A</abbr><a lang="nl" href="#b">B</a><p id="b">C</p>',
      '<abbr>A</abbr><a lang="nl" href="#text-b">B</a><p id="text-b">C</p>',
    ],
    ['removes duplicate ids', '<p id="a">A</p><p id="a">B</p>', '<p id="text-a">A</p><p>B</p>'],
    ['removes ARIA attributes', '<a role="button" aria-label="x">A</a>', '<a>A</a>'],
  ])('%s', (_, html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  test('prefixes the ids of notes, and links them', () => {
    const html =
      '<p>A<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup></p>' +
      '<section class="footnotes"><ol><li id="fn-1">B <a href="#fnref-1">↩</a></li></ol></section>';
    expect(clean(html)).toBe(
      '<p>A<sup class="footnote-ref"><a id="text-fnref-1" href="#text-fn-1" role="doc-noteref" aria-label="Note 1">1</a></sup></p>' +
        '<section class="footnotes" role="doc-endnotes" aria-label="Notes"><ol><li id="text-fn-1">B <a href="#text-fnref-1" role="doc-backlink" aria-label="Back">↩</a></li></ol></section>',
    );
  });
});

test.each([
  ['levels', `<p>1 &lt; <b>2</b></p>${'<div>'.repeat(101)}x`],
  ['tags', `<p>1 &lt; <b>2</b></p><p>x</p>${'<br>'.repeat(20_001)}`],
])('a text with too many %s becomes plain text', (_, html) => {
  expect(clean(html)).toBe('<p>1 &lt; 2</p>\n<p>x</p>');
});

test('a text with too much markup keeps its notes', () => {
  const html = `A<sup><a href="#fn-1">1</a></sup>${'<br>'.repeat(20_001)}<section class="footnotes"><ol><li>B</li></ol></section>`;
  expect(clean(html)).toBe('<p>A[1]</p>\n<p>[1] B</p>');
});

const paragraph = (length: number) => `<p>${'x'.repeat(length)}</p>`;

test.each([
  ['a short text', paragraph(3_000)],
  ['a text in one element', paragraph(20_000)],
  ['a text whose end is short', paragraph(3_000) + paragraph(100)],
  ['plain words', 'x'.repeat(20_000)],
])('%s is not folded', (_, html) => {
  expect(foldHtml(html)).toEqual([html, '']);
});

test('a long text is folded between two elements, and nothing is lost', () => {
  const parts = [
    paragraph(1_500),
    `<div><br/>${paragraph(1_000)}<hr>x</div>`,
    paragraph(3_000),
    paragraph(10),
  ];
  const [shown, folded] = foldHtml(parts.join(''));
  expect(shown).toBe(parts.slice(0, 2).join(''));
  expect(folded).toBe(parts.slice(2).join(''));
});
