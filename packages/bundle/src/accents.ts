/** A colour scheme of pages. */
export type Scheme = 'light' | 'dark';

/** The backgrounds of links: `--paper`, `--card` and `--code` of packages/site/assets/site.css. */
export const GROUNDS: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#fbf8f2', '#fffdf9', '#f2ebdf'],
  dark: ['#1a1714', '#221f1b', '#2b2621'],
};

/** The minimum contrast of a link (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

/** The background of a scheme with the least contrast to a colour, and that contrast (WCAG 2.2). */
export function weakestContrast(colour: string, scheme: Scheme): { ground: string; contrast: number } {
  const contrasts = GROUNDS[scheme].map((ground) => ({ ground, contrast: contrastOf(colour, ground) }));
  return contrasts.reduce((weakest, one) => (one.contrast < weakest.contrast ? one : weakest));
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
