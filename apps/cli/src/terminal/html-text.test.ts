import { expect, test } from 'vitest';
import { htmlText } from './html-text.ts';

const HTML = `<h2>Life</h2><p>Born in <a href="/x">The Hague</a>.<sup class="footnote-ref"><a href="#fn-1">1</a></sup></p>
<ul><li>poet &amp; diplomat</li></ul>
<section class="footnotes"><ol><li id="fn-1">J. Smit, <em>Driemaal Huygens</em>. <a href="#fnref-1">↩</a></li></ol></section>`;

test('a text and its footnotes stand apart', () => {
  expect(htmlText(HTML, 80)).toEqual({
    body: 'Life\n\nBorn in The Hague.[1]\n\n * poet & diplomat',
    footnotes: ' 1. J. Smit, Driemaal Huygens.',
  });
});

test('lines are wrapped', () => {
  const { body } = htmlText(`<p>${'word '.repeat(50)}</p>`, 40);
  expect(Math.max(...body.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
});

test('nothing is nothing', () => {
  expect(htmlText('', 80)).toEqual({ body: '', footnotes: '' });
});
