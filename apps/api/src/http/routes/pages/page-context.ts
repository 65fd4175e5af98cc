import { createPage, type Page } from '@archiefkast/site';
import type { Language } from '@archiefkast/types';
import { mediaAddress } from '../../../media-path.ts';
import type { Edition } from '../../../storage/edition.ts';
import { invalidPage } from '../../problems.ts';
import { type ArchiveRequest, HTML, type Route, type RouteDependencies } from '../../route.ts';
import { lastPage } from '../lists.ts';
import type { PageDependencies, PageReader } from './page-reader.ts';

/** The settings of pages. */
export type PageSettings = Pick<RouteDependencies, 'baseUrl' | 'hasPages' | 'tiles'>;

/**
 * Creates a page with its path, language and settings, and the name and colours of the archive.
 *
 * @param named the parameter `edition` of the request, which the links of the page repeat; null if absent
 */
export function createPageContext(
  { baseUrl, hasPages, tiles }: PageSettings,
  language: Language,
  path: string,
  edition: Edition | undefined,
  named: string | null = null,
): Page {
  const { title, licence, logo, colours } = edition?.archive ?? {};
  return createPage({
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
  });
}

/** The request of a page, with the page to write, and the reader of its records. */
export interface PageRequest extends ArchiveRequest {
  page: Page;
  reader: PageReader;
}

/** The route of a page, whose HTML `write` returns. */
export function pageRoute(
  dependencies: PageDependencies,
  about: Pick<Route, 'path' | 'name' | 'description'> & Partial<Pick<Route, 'parameters'>>,
  write: (request: PageRequest) => Promise<string>,
): Route {
  const { parameters = [] } = about;
  return {
    ...about,
    content: { contentType: HTML },
    parameters: ['edition', ...parameters],
    async handle(request) {
      const { language, open } = request;
      const path = about.path.replace(/:(\w+)/, (_, name: string) => request.segment(name).toLowerCase());
      const named = request.parameters.get('edition');
      const page = createPageContext(dependencies, language, language + path, open.edition, named);
      const reader = dependencies.openPages(open, language);
      return { contentType: HTML, body: [await write({ ...request, page, reader })] };
    },
  };
}

/** The number of the last page. @throws Problem if the page is out of range */
export function lastPageOf(pageNumber: number, count: number, size: number): number {
  const last = lastPage(count, size);
  if (pageNumber > last) throw invalidPage(last);
  return last;
}
