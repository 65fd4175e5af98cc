import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
