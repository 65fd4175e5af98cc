import { describe, expect, it } from 'vitest';
import { htmlWords } from './html-words.ts';

/** The text with single spaces. */
function words(html: string): { text: string; footnotes: string } {
  const { text, footnotes } = htmlWords(html);
  return { text: squeeze(text), footnotes: squeeze(footnotes) };
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const TEXTS: [html: string, text: string][] = [
  ['', ''],
  ['plain', 'plain'],
  ['Jansz &amp; Zn.', 'Jansz & Zn.'],
  ['<p>een</p><p>twee</p>', 'een twee'],
  ['<ul><li>een</li><li>twee</li></ul>', 'een twee'],
  ['een<br>twee<br/>drie', 'een twee drie'],
  ['<strong>Rem</strong>brandt', 'Rembrandt'],
  ['17<sup>e</sup> eeuw', '17e eeuw'],
  ['a<!-- not <b>this</b> -->b', 'a b'],
  ['<script>var x = "<p>";</script>na', 'na'],
  ['<STYLE>p{}</STYLE>na', 'na'],
  ['<a title="a > b" href=\'x>y\'>link</a>', 'link'],
  ['<img alt="onzichtbaar">', ''],
  ['1 < 2 en 3 > 2', '1 < 2 en 3 > 2'],
  ['a <3 b', 'a <3 b'],
  ['caf&eacute; &#233; &#xE9; &hellip; &onbekend;', 'café é é … &onbekend;'],
  ['&lt;b&gt;geen tag&lt;/b&gt;', '<b>geen tag</b>'],
  ['tekst <a href="', 'tekst'],
  ['tekst <!-- open', 'tekst'],
  ['<!DOCTYPE html>tekst', 'tekst'],
  ['<script>open', ''],
  ['</p>los</p>', 'los'],
  ['zin.<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup> Nog', 'zin. Nog'],
  ['zin.<sup class="footnote-ref" id="fnref-1"><a href="#fn-1">[1]</a></sup> x<sup>2</sup>', 'zin. x2'],
];

describe('htmlWords', () => {
  it.each(TEXTS)('converts %j to %j', (html, text) => {
    expect(words(html)).toEqual({ text, footnotes: '' });
  });

  it('separates footnotes, and drops their marks', () => {
    const html =
      '<p>Geboren.<sup class="footnote-ref"><a href="#fn-1">1</a></sup></p>' +
      '<section class="footnotes"><ol><li id="fn-1">Bron, <em>Titel</em> <a href="#fnref-1">&#8617;</a></li></ol></section>' +
      '<p>Slot</p>';
    expect(words(html)).toEqual({ text: 'Geboren. Slot', footnotes: 'Bron, Titel ↩' });
  });

  it('ignores sections of other classes', () => {
    expect(words('<section class="intro">a</section>b')).toEqual({ text: 'a b', footnotes: '' });
  });

  it.each(['<a', '<a "', '<!--', '<sup>', '<sup><a></a>', '<script>', '<section class="footnotes">', '&amp'])(
    'takes linear time for repetitions of %j',
    (piece) => {
      const started = performance.now();
      htmlWords(piece.repeat(200_000));
      expect(performance.now() - started).toBeLessThan(10_000);
    },
  );
});
