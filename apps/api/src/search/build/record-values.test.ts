import { expect, test } from 'vitest';
import { recordText } from './record-values.ts';

test('a text contained in an earlier one counts once', () => {
  expect(recordText('person', { title_nl: 'Jan Vos', title_en: 'Vos', last_name: 'Vos' }).name).toBe(
    ' jan vos ',
  );
  const long = 'woord '.repeat(100).trim();
  expect(recordText('person', { content_nl: `<p>${long}</p>`, content_en: `<p>${long}</p>` }).body).toBe(
    ` ${long} `,
  );
});

test('repetitive texts take linear time', () => {
  const half = 'ab '.repeat(100_000);
  const started = performance.now();
  recordText('person', { content_nl: half + half, content_en: `${half}c ${half}` });
  expect(performance.now() - started).toBeLessThan(10_000);
});
