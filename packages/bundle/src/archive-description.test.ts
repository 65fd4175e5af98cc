import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GROUNDS, LEAST_CONTRAST, type Scheme, weakestContrast } from './archive-description.ts';

const STYLES = readFileSync(new URL('../../site/assets/colours.css', import.meta.url), 'utf8');

function colourNamed(name: string, scheme: Scheme): string {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\(([^,]+), ([^)]+)\\);`).exec(STYLES) ?? [];
  return { light, dark }[scheme];
}

test.each(['light', 'dark'] as const)(
  'the backgrounds of the %s scheme are those of the styles, and the default accent has enough contrast',
  (scheme) => {
    expect(GROUNDS[scheme]).toEqual(['paper', 'card', 'code'].map((name) => colourNamed(name, scheme)));
    const { contrast } = weakestContrast(colourNamed('accent', scheme), scheme);
    expect(contrast).toBeGreaterThan(LEAST_CONTRAST);
  },
);
