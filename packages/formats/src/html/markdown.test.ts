import { expect, test } from 'vitest';
import { htmlOfText } from './html-reading.ts';
import { excessOfMarkdown, htmlOfMarkdown } from './markdown.ts';

test.each([
  ['plain', 'A *b* **c**', '<p>A <em>b</em> <strong>c</strong></p>'],
  [
    'a footnote, in the markup of the contract',
    'Text.[^1]\n\n[^1]: A *book*.',
    '<p>Text.<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup></p>\n' +
      '<section class="footnotes"><ol><li id="fn-1">A <em>book</em>. <a href="#fnref-1">&#8617;</a></li></ol></section>',
  ],
  [
    'a note that two marks name, and one of two paragraphs',
    'a[^x] b[^x] c[^y]\n\n[^x]: X\n\n[^y]: Y\n\n    Z',
    '<p>a<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup> ' +
      'b<sup class="footnote-ref"><a href="#fn-1" id="fnref-1-2">1</a></sup> ' +
      'c<sup class="footnote-ref"><a href="#fn-2" id="fnref-2">2</a></sup></p>\n' +
      '<section class="footnotes"><ol>' +
      '<li id="fn-1">X <a href="#fnref-1">&#8617;</a> <a href="#fnref-1-2">&#8617;</a></li>' +
      '<li id="fn-2"><p>Y</p>\n<p>Z <a href="#fnref-2">&#8617;</a></p>\n</li></ol></section>',
  ],
  ['a mark without its note', 'a[^1]', '<p>a[^1]</p>'],
  ['HTML', 'a <script>b</script>', '<p>a &lt;script&gt;b&lt;/script&gt;</p>'],
  ['a link that runs a script', '[a](javascript:b)', '<p>[a](javascript:b)</p>'],
  ['nothing', '', ''],
])('Markdown: %s', (_, markdown, html) => {
  expect(htmlOfMarkdown(markdown)).toBe(html);
});

test.each([
  ['a'.repeat(100_000), undefined],
  ['a'.repeat(100_001), 'has more than 100,000 characters'],
  ['[a](b)'.repeat(4_000), undefined],
  ['['.repeat(4_001), 'has more than 4,000 "["'],
])('limits on Markdown: %#', (markdown, excess) => {
  expect(excessOfMarkdown(markdown)).toBe(excess);
});

test.each([
  ['paragraphs', 'a\n\nb\r\n \r\nc', '<p>a</p>\n<p>b</p>\n<p>c</p>'],
  ['line ends', 'a\nb\r\nc', '<p>a<br>\nb<br>\nc</p>'],
  ['characters of HTML', '1 < 2 & "3"', '<p>1 &lt; 2 &amp; &quot;3&quot;</p>'],
  ['blank lines only', '\n\n \n', ''],
])('plain text: %s', (_, text, html) => {
  expect(htmlOfText(text)).toBe(html);
});
