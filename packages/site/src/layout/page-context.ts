import type { Language } from '@archiefkast/types';
import type { MapTiles } from '../map/map-tiles.ts';
import type { Accents } from './accents.ts';

/** What a page has to know to stand in its place. */
export interface PageContext {
  language: Language;
  /** Its path below the base URL, without a slash at its beginning: `en/docs`. */
  path: string;
  /** How its links name the edition that it is of; undefined where it shows the one that is served. */
  edition: string | undefined;
  /** Root of every link in records and in examples, without a slash at its end. */
  baseUrl: string;
  /** Whether the site has pages of records: a front page, search and the like. */
  hasPages: boolean;
  /** Name of the archive in the page's language; undefined before anything is published. */
  archiveName: string | undefined;
  /** Address of the institution's logo; undefined for none. */
  logo: string | undefined;
  /** The institution's own accent; undefined for that of the styles. */
  colours: Accents | undefined;
  /** What maps show under their places; undefined for the outline of the land. */
  tiles: MapTiles | undefined;
}

/** The way from a page to the root of the site: links are relative, so that it works under any prefix. */
export function rootOf({ path }: Pick<PageContext, 'path'>): string {
  return '../'.repeat(path.split('/').length - 1) || './';
}

/** The way from a page to a path below the base URL, in the edition of the page. */
export function linkTo(page: Pick<PageContext, 'path' | 'edition'>, path: string): string {
  return rootOf(page) + inEdition(page, path);
}

/** The way from a page to what belongs to no edition: files, documentation, the feed. */
export function linkToFile(page: Pick<PageContext, 'path'>, path: string): string {
  return rootOf(page) + path;
}

/** An address with the edition of a page, where the page names one. */
export function inEdition({ edition }: Pick<PageContext, 'edition'>, address: string): string {
  if (edition === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}edition=${edition}`;
}

/** The way from a page to an absolute address, where that is below the base URL; else the address itself. */
export function linkToAddress(page: Pick<PageContext, 'path' | 'baseUrl'>, address: string): string {
  return address.startsWith(`${page.baseUrl}/`)
    ? linkToFile(page, address.slice(page.baseUrl.length + 1))
    : address;
}
