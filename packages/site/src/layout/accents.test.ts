import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTheme, themePath } from '../assets.ts';
import { GROUNDS, LEAST_CONTRAST, SCHEMES, weakestContrast } from './accents.ts';

const [light = '', dark = ''] = readFileSync(new URL('../../assets/site.css', import.meta.url), 'utf8').split(
  '@media (prefers-color-scheme: dark)',
);
const STYLES = { light, dark };
const colourNamed = (styles: string, name: string) =>
  new RegExp(`--${name}: ([^;]+);`).exec(styles)?.[1] ?? '';

test.each(SCHEMES)(
  'the backgrounds of the %s scheme are those of the styles, and the default accent has enough contrast',
  (scheme) => {
    expect(GROUNDS[scheme]).toEqual(
      ['paper', 'card', 'code'].map((name) => colourNamed(STYLES[scheme], name)),
    );
    const { contrast } = weakestContrast(colourNamed(STYLES[scheme], 'accent'), scheme);
    expect(contrast).toBeGreaterThan(LEAST_CONTRAST);
  },
);

test('contrast is computed as in WCAG', () => {
  expect(weakestContrast('#777777', 'light')).toEqual({
    ground: '#f2ebdf',
    contrast: expect.closeTo(3.78, 1),
  });
  expect(weakestContrast('#f2ebdf', 'light').contrast).toBe(1);
});

test('the styles of an accent are found by their own name only', () => {
  const accents = { light: '#00539B', dark: '#9cc7ef' };
  const name = themePath(accents).slice('assets/'.length);
  expect(name).toMatch(/^theme-00539b-9cc7ef\.[0-9a-f]{10}\.css$/);
  expect(findTheme(name)?.body.toString()).toContain('--accent: #00539b;');
  expect(findTheme(name.replace('9cc7ef', '9cc7ee'))).toBeUndefined();
  expect(findTheme('theme-x.css')).toBeUndefined();
});
