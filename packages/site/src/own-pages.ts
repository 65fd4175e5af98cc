import { readPage } from '@archiefkast/formats/markdown-page';
import type { Page } from './page.ts';

/** The name of the page whose text the front page shows. */
export const HOME_PAGE = 'home';

/** The pages of the archive itself, in its order, each with its title. */
export function ownPagesOf({ archive, language }: Page): { name: string; title: string }[] {
  return Object.entries(archive?.pages?.[language] ?? {}).flatMap(([name, markdown]) =>
    name === HOME_PAGE ? [] : { name, title: readPage(markdown).title ?? name },
  );
}
