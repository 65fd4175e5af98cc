import type { PageContext } from '@archiefkast/site';
import type { Language } from '@archiefkast/types';
import { mediaAddress } from '../../../media-path.ts';
import type { Edition } from '../../../storage/edition.ts';
import type { RouteDependencies } from '../../contract/route.ts';

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
  const { title, logo, colours } = edition?.archive ?? {};
  return {
    language,
    path,
    edition: named ?? undefined,
    baseUrl,
    hasPages,
    tiles,
    archiveName: title?.[language],
    logo: logo === undefined ? undefined : mediaAddress(baseUrl, logo),
    colours,
  };
}
