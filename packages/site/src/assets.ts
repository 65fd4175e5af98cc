import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  contentType: string;
  body: Buffer;
}

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The static files, which the build writes, with their content types. */
const FILES = {
  'site.css': CSS,
  'site.js': JAVASCRIPT,
  'card.css': CSS,
  'map.css': CSS,
  'map.js': JAVASCRIPT,
  'land.json': 'application/json',
  'pictures.js': JAVASCRIPT,
  'viewer.css': CSS,
  'viewer.js': JAVASCRIPT,
  'docs.css': CSS,
  'docs.js': JAVASCRIPT,
  'icon.svg': 'image/svg+xml',
  'favicon.ico': 'image/x-icon',
};

export type AssetName = keyof typeof FILES;

/** Each static file by the name under which it is served, which contains a hash of its content. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  Object.entries(FILES).map(([file, contentType]) => {
    const body = readAsset(file);
    const name = file.replace('.', `.${hash('sha256', body).slice(0, 10)}.`);
    return [name, { contentType, body }];
  }),
);

/** The scripts for pages of others, whose names do not change with their content. */
export const SHARED_SCRIPTS: ReadonlyMap<string, Asset> = new Map(
  ['archive-client.js', 'archive-widget.js'].map((file) => [
    file,
    { contentType: JAVASCRIPT, body: readAsset(file) },
  ]),
);

function readAsset(file: string): Buffer {
  return readFileSync(new URL(`../dist/assets/${file}`, import.meta.url));
}

const SERVED = [...ASSETS.keys()];

/** A hash of all static files. Pages contain their names, so it is part of the ETag of pages. */
export const ASSETS_VERSION = SERVED.join(' ');

/** The path below the base URL of a static file. */
export function assetPath(name: AssetName): string {
  return `assets/${SERVED[Object.keys(FILES).indexOf(name)]}`;
}

/** The path below the base URL of the styles with an institution's own accent. */
export function themePath({ light, dark }: { light: string; dark: string }): string {
  return `assets/theme-${light.slice(1)}-${dark.slice(1)}.css`.toLowerCase();
}

/** The styles with a name, which encodes their content; undefined for an invalid name. */
export function findTheme(served: string): Asset | undefined {
  const [, light, dark] = /^theme-([0-9a-f]{6})-([0-9a-f]{6})\.css$/.exec(served) ?? [];
  const text = `:root {\n  --accent: light-dark(#${light}, #${dark});\n}\n`;
  return light ? { contentType: CSS, body: Buffer.from(text) } : undefined;
}
