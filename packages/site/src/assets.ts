import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Accents } from './accents.ts';

/** A static file of the pages. */
export interface Asset {
  contentType: string;
  body: Buffer;
}

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ico: 'image/x-icon',
  json: 'application/json',
  svg: 'image/svg+xml',
} as const;

/** The static files, which the build writes. */
const FILES = [
  'site.css',
  'site.js',
  'map.css',
  'map.js',
  'land.json',
  'docs.css',
  'docs.js',
  'icon.svg',
  'favicon.ico',
] as const;

/** The name of a static file. */
export type AssetName = (typeof FILES)[number];

/** Each static file by the name under which it is served, which contains a hash of its content. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  FILES.map((file) => {
    const [name, extension = ''] = file.split('.');
    const body = readFileSync(new URL(`../dist/assets/${file}`, import.meta.url));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 10);
    const contentType = CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES];
    return [`${name}.${hash}.${extension}`, { contentType, body }];
  }),
);

const servedNames = [...ASSETS.keys()];

/** A hash of all static files. Pages contain their names, so it is part of the ETag of pages. */
export const ASSETS_VERSION = servedNames.join(' ');

/** A static file. */
export function readAsset(name: AssetName): Asset | undefined {
  return ASSETS.get(servedNames[FILES.indexOf(name)] ?? name);
}

/** The path below the base URL of a static file. */
export function assetPath(name: AssetName): string {
  return `assets/${servedNames[FILES.indexOf(name)]}`;
}

/** The path below the base URL of the styles with an institution's own accent. */
export function themePath({ light, dark }: Accents): string {
  return `assets/theme-${light.slice(1)}-${dark.slice(1)}.css`.toLowerCase();
}

/** The styles with a name, which encodes their content; undefined for an invalid name. */
export function findTheme(served: string): Asset | undefined {
  const [, light, dark] = /^theme-([0-9a-f]{6})-([0-9a-f]{6})\.css$/.exec(served) ?? [];
  const text = `:root {\n  --accent: light-dark(#${light}, #${dark});\n}\n`;
  return light ? { contentType: CONTENT_TYPES.css, body: Buffer.from(text) } : undefined;
}
