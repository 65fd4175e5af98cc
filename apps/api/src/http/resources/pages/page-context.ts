import type { PageContext } from '@archiefkast/site';
import type { Language } from '@archiefkast/types';
import { mediaAddress } from '../../../media-path.ts';
import type { Edition } from '../../../storage/edition.ts';
import { invalidPage } from '../../problems.ts';
import { type Answer, HTML, type RouteDependencies } from '../../route.ts';

/** The settings of pages. */
export type PageSettings = Pick<RouteDependencies, 'baseUrl' | 'hasPages' | 'tiles'>;

/**
 * Creates the context of a page: path, language, settings, and the name and colours of the archive.
 *
 * @param named the parameter `edition` of the request, which the links of the page repeat; null if absent
 */
export function createPageContext(
  { baseUrl, hasPages, tiles }: PageSettings,
  language: Language,
  path: string,
  edition: Edition | undefined,
  named: string | null = null,
): PageContext {
  const { title, licence, logo, colours } = edition?.archive ?? {};
  return {
    language,
    path,
    edition: named ?? undefined,
    baseUrl,
    hasPages,
    tiles,
    archiveName: title?.[language],
    licence,
    logo: logo === undefined ? undefined : mediaAddress(baseUrl, logo),
    colours,
  };
}

/** The common members of the route of a page. */
export function pageRoute(path: string, name: string, description: string) {
  return { path, name, description, content: { contentType: HTML } } as const;
}

/** A page as a response. */
export function htmlAnswer(text: string): Answer {
  return { contentType: HTML, body: [text] };
}

/** The number of the last page. @throws Problem if the page is out of range */
export function lastPage(pageNumber: number, count: number, size: number): number {
  const last = Math.max(1, Math.ceil(count / Math.max(1, size)));
  if (pageNumber > last) throw invalidPage(last);
  return last;
}
