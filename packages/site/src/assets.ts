import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Accents } from './layout/accents.ts';

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

const packages = createRequire(import.meta.url);
const own = (file: string) => new URL(`../assets/${file}`, import.meta.url);
const made = (file: string) => new URL(`../dist/assets/${file}`, import.meta.url);
const foreign = (name: string, path: string) => new URL(path, pathToFileURL(packages.resolve(name)));

/** The locations of the static files: our own from the build, others from packages. */
const FILES = {
  'site.css': own('site.css'),
  'docs.css': own('docs.css'),
  'record.css': own('record.css'),
  'find.css': own('find.css'),
  'map.css': own('map.css'),
  'docs.js': own('docs.js'),
  'record.js': own('record.js'),
  'suggest.js': own('suggest.js'),
  'map.js': own('map.js'),
  'draw-map.js': own('draw-map.js'),
  'land.json': made('land.json'),
  'leaflet.js': foreign('leaflet', './leaflet.js'),
  'leaflet.css': foreign('leaflet', './leaflet.css'),
  'supercluster.js': foreign('supercluster', './dist/supercluster.min.js'),
  'icon.svg': own('icon.svg'),
  'favicon.ico': own('favicon.ico'),
} as const;

/** The name of a static file. */
export type AssetName = keyof typeof FILES;

/** A static file, and the name under which it is served, which contains a hash of its content. */
function createAsset(file: string, body: Buffer): { served: string; asset: Asset } {
  const [name = '', extension = ''] = file.split('.');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 10);
  const contentType = CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES];
  return { served: `${name}.${hash}.${extension}`, asset: { contentType, body } };
}

const read = Object.entries(FILES).map(([file, address]) => ({
  file,
  ...createAsset(file, readFileSync(address)),
}));

/** The static files, by the name under which they are served. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(read.map(({ served, asset }) => [served, asset]));

const servedNames = new Map<string, string>(read.map(({ file, served }) => [file, served]));

/** A hash of all static files. Pages contain their names, so it is part of the ETag of pages. */
export const ASSETS_VERSION = [...ASSETS.keys()].join(' ');

/** A static file. */
export function readAsset(name: AssetName): Asset | undefined {
  return ASSETS.get(servedNames.get(name) ?? name);
}

/** The path below the base URL of a static file. */
export function assetPath(name: AssetName): string {
  return `assets/${servedNames.get(name) ?? name}`;
}

/** The path below the base URL of the styles with an institution's own accent. */
export function themePath(accents: Accents): string {
  return `assets/${themeOf(accents).served}`;
}

/** The styles with a name, which encodes their content; undefined for an invalid name. */
export function findTheme(served: string): Asset | undefined {
  const [, light, dark] = /^theme-([0-9a-f]{6})-([0-9a-f]{6})\.[0-9a-f]+\.css$/.exec(served) ?? [];
  if (!light || !dark) return undefined;
  const theme = themeOf({ light: `#${light}`, dark: `#${dark}` });
  return theme.served === served ? theme.asset : undefined;
}

function themeOf(accents: Accents): { served: string; asset: Asset } {
  const [light, dark] = [accents.light.toLowerCase(), accents.dark.toLowerCase()];
  const text = `:root {
  --accent: ${light};
}

@media (prefers-color-scheme: dark) {
  :root {
    --accent: ${dark};
  }
}
`;
  return createAsset(`theme-${light.slice(1)}-${dark.slice(1)}.css`, Buffer.from(text));
}
