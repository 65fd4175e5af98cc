import type { Language } from '@archiefkast/types';
import type { MapTiles } from '../map/map-tiles.ts';
import type { Accents } from './accents.ts';

/** The context of a page: its address, and the settings of the site. */
export interface PageContext {
  language: Language;
  /** Its path below the base URL, without a leading slash: `en/docs`. */
  path: string;
  /** The edition in its links; undefined for the served one. */
  edition: string | undefined;
  /** Base URL of the links in records and examples, without a trailing slash. */
  baseUrl: string;
  /** Whether the site has pages of records: a home page, search and so on. */
  hasPages: boolean;
  /** Name of the archive in the page's language; undefined before anything is published. */
  archiveName: string | undefined;
  /** Licence of the archive, if it names one. */
  licence: { name: string; url: string } | undefined;
  /** Address of the institution's logo, if any. */
  logo: string | undefined;
  /** The institution's own accent; undefined for the default. */
  colours: Accents | undefined;
  /** The tiles of maps; undefined for the outline of the land. */
  tiles: MapTiles | undefined;
}

/** The relative path from a page to the root of the site, so that pages work below any prefix. */
export function rootOf({ path }: Pick<PageContext, 'path'>): string {
  return '../'.repeat(path.split('/').length - 1) || './';
}

/** A link from a page to a path below the base URL, in the edition of the page. */
export function linkTo(page: Pick<PageContext, 'path' | 'edition'>, path: string): string {
  return rootOf(page) + inEdition(page, path);
}

/** A link from a page to a resource without editions: a static file, the documentation, the feed. */
export function linkToFile(page: Pick<PageContext, 'path'>, path: string): string {
  return rootOf(page) + path;
}

/** An address with the edition of a page, if the page names one. */
export function inEdition({ edition }: Pick<PageContext, 'edition'>, address: string): string {
  if (edition === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}edition=${edition}`;
}

/** A link from a page to an absolute address: relative if that is below the base URL. */
export function linkToAddress(page: Pick<PageContext, 'path' | 'baseUrl'>, address: string): string {
  return address.startsWith(`${page.baseUrl}/`)
    ? linkToFile(page, address.slice(page.baseUrl.length + 1))
    : address;
}
