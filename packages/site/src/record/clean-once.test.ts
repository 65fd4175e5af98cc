import { expect, test } from 'vitest';
import { cleanHtml, cleanOnce } from './clean-html.ts';

const LABELS = { notes: 'Notes', note: 'Note', back: 'Back' };
const DUTCH = { notes: 'Noten', note: 'Noot', back: 'Terug' };
const TEXT = `<p>${'A <em>b</em> '.repeat(2_000)}<a href="#fn-1" id="fnref-1">1</a><a href="#fnref-1" id="fn-1">x</a></p>`;

test('a text is cleaned once', () => {
  const timed = () => {
    const started = performance.now();
    const html = cleanOnce(TEXT, 'text', LABELS);
    return { html, taken: performance.now() - started };
  };
  const first = timed();
  const again = Array.from({ length: 10 }, timed);
  expect(first.html).toBe(cleanHtml(TEXT, 'text', LABELS));
  for (const { html } of again) expect(html).toBe(first.html);
  expect(Math.min(...again.map(({ taken }) => taken))).toBeLessThan(first.taken / 2);
});

test('each prefix and language is cached separately', () => {
  for (const labels of [LABELS, DUTCH]) {
    for (const prefix of ['text', 'other']) {
      expect(cleanOnce(TEXT, prefix, labels)).toBe(cleanHtml(TEXT, prefix, labels));
    }
  }
});

test('a text longer than the cache is cleaned every time', () => {
  const long = `<p>${'x'.repeat(9 * 2 ** 20)}</p><script>y</script>`;
  for (let time = 0; time < 2; time += 1) expect(cleanOnce(long, 'text', LABELS)).not.toContain('script');
});
