/** Width and height of what is drawn. */
export const WIDTH = 400;
export const HEIGHT = 500;

/** A picture before it is printed, each part as SVG. */
export interface Scene {
  /** Light and shade in grey, of which lines are made that swell where it is dark. */
  tone: string;
  /** Colours under the lines, put on as by hand. */
  wash: string;
  /** What is printed sharply over the lines: `currentColor` is the ink, `paper` the paper. */
  key: string;
  ink: string;
  paper: string;
}

const SHADES = `
<linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#9a9a9a"/><stop offset=".5" stop-color="#e2e2e2"/><stop offset="1" stop-color="#fcfcfc"/></linearGradient>
<linearGradient id="water" x2="0" y2="1"><stop offset="0" stop-color="#f2f2f2"/><stop offset="1" stop-color="#9c9c9c"/></linearGradient>
<linearGradient id="side" x2="1" y2="0"><stop offset="0" stop-color="#3a3a3a"/><stop offset="1" stop-color="#9a9a9a"/></linearGradient>
<radialGradient id="ball" cx=".36" cy=".32" r=".75"><stop offset="0" stop-color="#fff"/><stop offset=".45" stop-color="#bbb"/><stop offset="1" stop-color="#1c1c1c"/></radialGradient>
<radialGradient id="vignette" cx=".5" cy=".42" r=".75"><stop offset="0" stop-color="#efefef"/><stop offset=".6" stop-color="#a8a8a8"/><stop offset="1" stop-color="#5a5a5a"/></radialGradient>
<filter id="soft"><feGaussianBlur stdDeviation="3"/></filter><filter id="softer"><feGaussianBlur stdDeviation="9"/></filter>
`;

/** A drawing of some elements, which may use the shades that all drawings share. */
export function svg(body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><defs>${SHADES}</defs>${body}</svg>`;
}

/** Something drawn several times. */
export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}
