import { describe, expect, test } from 'vitest';
import { htmlReading } from './html-reading.ts';

const HTML = `<h2>Life</h2><p>Born in <a href="/x">The Hague</a>.<sup class="footnote-ref"><a href="#fn-1">1</a></sup></p>
<ul><li>poet &amp; diplomat</li></ul>
<section class="footnotes"><ol><li id="fn-1">J. Smit, <em>Driemaal Huygens</em>. <a href="#fnref-1">↩</a></li></ol></section>`;

test('separates a text from its footnotes', () => {
  expect(htmlReading(HTML)).toEqual({
    text: 'Life\n\nBorn in The Hague.[1]\n\n * poet & diplomat',
    footnotes: [{ number: 1, text: 'J. Smit, Driemaal Huygens.', links: [] }],
  });
});

const TEXTS: [html: string, text: string][] = [
  ['', ''],
  ['plain\n  text', 'plain text'],
  ['<p>een</p>\n<p>twee</p>', 'een\n\ntwee'],
  ['een<br>twee<br/><br/>drie', 'een\ntwee\n\ndrie'],
  ['<strong>Rem</strong>brandt <em>van</em>\nRijn', 'Rembrandt van Rijn'],
  ['17<sup>e</sup> eeuw', '17e eeuw'],
  ['zin.<sup><a href="#fn-1">[1]</a></sup> Nog', 'zin.[1] Nog'],
  ['zin.<sup><a href="#fn-1">1</sup> Nog', 'zin.[1] Nog'],
  ['zin.<sup><a href="#fn-1">1', 'zin.[1]'],
  ['<ol><li>a</li><li><p>b</p></li></ol>c', ' 1. a\n 2. b\n\nc'],
  ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', ' * a\n   * b\n * c'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  ['a&nbsp;b &lt;c&gt; &onbekend;', 'a\u00a0b <c> &onbekend;'],
  ['<script>var x;</script>na', 'na'],
  ['</p>los</li></ul>', 'los'],
];

test.each(TEXTS)('converts %j to %j', (html, text) => {
  expect(htmlReading(html)).toEqual({ text, footnotes: [] });
});

test('lists are indented at most ten levels', () => {
  const { text } = htmlReading('<ul><li>x'.repeat(20_000));
  expect(text.split('\n').slice(9, 13)).toEqual([
    `${'  '.repeat(9)} * x`,
    `${'  '.repeat(10)} * x`,
    `${'  '.repeat(10)} * x`,
    `${'  '.repeat(10)} * x`,
  ]);
  expect(text.length).toBeLessThan(600_000);
});

describe('footnotes', () => {
  const footnotesOf = (inner: string) =>
    htmlReading(`a<section class="footnotes">${inner}</section>b`).footnotes;

  test('include the URLs that they link to', () => {
    const source = '<a href="https://example.org/?a=1&amp;b=2">Bron</a>, <a href=https://example.org/c>2</a>';
    expect(footnotesOf(`<hr><ol><li><p>${source} <a href="#fnref-1">↩</a></p></li></ol>`)).toEqual([
      { number: 1, text: 'Bron, 2', links: ['https://example.org/?a=1&b=2', 'https://example.org/c'] },
    ]);
  });

  test('have the numbers of their list', () => {
    const found = footnotesOf('<ol start="4"><li>x</li><li>y</li></ol>');
    expect(found.map(({ number, text }) => [number, text])).toEqual([
      [4, 'x'],
      [5, 'y'],
    ]);
  });

  test('are found without a list', () => {
    expect(footnotesOf('<p>x</p>')).toEqual([{ number: 1, text: 'x', links: [] }]);
  });

  test('a section of another class has none', () => {
    expect(htmlReading('<section class="intro">a</section>b')).toEqual({ text: 'a\n\nb', footnotes: [] });
  });
});

test.each([
  '<a',
  '<a "',
  '<!--',
  '<sup>',
  '<sup><a></a>',
  '<script>',
  '<section class="footnotes">',
  '&amp',
  '<ul>',
])('takes linear time for repetitions of %j', (piece) => {
  const started = performance.now();
  htmlReading(`${piece.repeat(100_000)}x`);
  expect(performance.now() - started).toBeLessThan(10_000);
});
