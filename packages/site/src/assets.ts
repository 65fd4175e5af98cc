import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages use. */
export interface Asset {
  contentType: string;
  body: Buffer;
}

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
} as const;

/** Names of the files in `assets/`. */
const FILES = [
  'site.css',
  'docs.css',
  'record.css',
  'find.css',
  'docs.js',
  'suggest.js',
  'icon.svg',
  'favicon.ico',
] as const;

/** The name of a file that pages use. */
export type AssetName = (typeof FILES)[number];

const read = FILES.map((file) => {
  const body = readFileSync(new URL(`../assets/${file}`, import.meta.url));
  const [name = '', extension = ''] = file.split('.');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 10);
  const contentType = CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES];
  return { file, served: `${name}.${hash}.${extension}`, asset: { contentType, body } };
});

/** The files that pages use, by the name under which they are served: it changes with what is in them. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(read.map(({ served, asset }) => [served, asset]));

const servedNames = new Map<string, string>(read.map(({ file, served }) => [file, served]));

/** Differs where a file that pages use does: a page names its files, and is another with them. */
export const ASSETS_VERSION = [...ASSETS.keys()].join(' ');

/** A file that pages use, by its name in `assets/`. */
export function readAsset(name: AssetName): Asset | undefined {
  return ASSETS.get(servedNames.get(name) ?? name);
}

/** The path below the base URL of a file that pages use. */
export function assetPath(name: AssetName): string {
  return `assets/${servedNames.get(name) ?? name}`;
}
