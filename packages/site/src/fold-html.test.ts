import { expect, test } from 'vitest';
import { foldHtml } from './fold-html.ts';

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
