import { expect, test } from 'vitest';
import { toHtml } from './jsx-runtime.ts';
import { markedText, snippetOf, wordsToMark } from './mark-words.tsx';
import { plainText } from './record.ts';

test.each([
  ['Jan Vos, vossen & De Vós', 'vos', 'Jan <mark>Vos</mark>, <mark>vossen</mark> &amp; De <mark>Vós</mark>'],
  ['vos vos', 'vos', '<mark>vos</mark> <mark>vos</mark>'],
  ['Jan', 'vos', 'Jan'],
  ['', 'vos', ''],
])('in %j, %j is marked', (text, q, html) => {
  expect(toHtml(markedText(text, wordsToMark(q)))).toBe(html);
});

test('the first 50 words of a query are marked', () => {
  const q = Array.from({ length: 60 }, (_, place) => `w${place + 100}`).join(' ');
  expect(wordsToMark(q)).toHaveLength(50);
});

test('OR is not marked', () => {
  expect(wordsToMark('schilder OR etser')).toEqual(['schilder', 'etser']);
});

test('a snippet ends at a word', () => {
  const text = `Vos ${'woord '.repeat(60)}`.trim();
  const snippet = snippetOf(text, ['vos']) ?? '';
  expect(snippet).toMatch(/^Vos (?:woord )+…$/);
  expect(snippet.length).toBeGreaterThan(150);
  expect(snippetOf(`vos${'x'.repeat(400)}`, ['vos'])).toBe(`vos${'x'.repeat(400)}`);
});

test('a snippet is plain text, without notes', () => {
  const html =
    '<p>Jan &amp;<br><em>Vos</em><sup><a href="#fn-1">1</a></sup></p><section class="footnotes">Vos</section>';
  expect(snippetOf(plainText(html), ['vos'])).toBe('Jan & Vos');
});
