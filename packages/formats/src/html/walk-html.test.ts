import { expect, test } from 'vitest';
import { excessOfHtml } from './walk-html.ts';

const DEEP = 'is nested deeper than 100 levels';
const TAGS = 'has more than 20,000 tags';

test.each([
  ['nothing', '', undefined],
  ['100 levels', '<div>'.repeat(100), undefined],
  ['101 levels', '<div>'.repeat(101), DEEP],
  ['levels below a long text', `${'x'.repeat(200_000)}${'<ul><li>'.repeat(51)}`, DEEP],
  ['many tags beside each other', '<p>x</p>'.repeat(10_000), undefined],
  ['too many tags', `${'<p>x</p>'.repeat(10_000)}<br>`, TAGS],
  ['elements that have no content', '<br><img>'.repeat(1_000), undefined],
  ['paragraphs that end each other', '<p>x'.repeat(1_000), undefined],
  ['levels behind what hides text in SVG only', `<svg><title>${'<b>'.repeat(101)}`, DEEP],
  ['the content of a script', `<script>${'<b>'.repeat(1_000)}</script>`, undefined],
  ['ends without a beginning', '</b>'.repeat(1_000), undefined],
  [
    'too many attributes',
    `<a ${Array.from({ length: 100_001 }, (_, place) => `a${place}`).join(' ')}>`,
    'has more than 100,000 attributes',
  ],
])('%s', (_, html, excess) => {
  expect(excessOfHtml(html)).toBe(excess);
});
