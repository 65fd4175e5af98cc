import type { PageContext } from '@archiefkast/site';
import type { Language } from '@archiefkast/types';
import { mediaAddress } from '../../../media-path.ts';
import type { Edition } from '../../../storage/edition.ts';
import type { RouteDependencies } from '../../contract/route.ts';

/** The settings that pages follow. */
export type PageSettings = Pick<RouteDependencies, 'baseUrl' | 'hasPages' | 'tiles'>;

/**
 * What a page has to know to stand at a path below the base URL, in the colours of the archive.
 *
 * @param named how the request names its edition, which the links of the page repeat; null where it names none
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
