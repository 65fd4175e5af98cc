import { mediaAddress } from '@archiefkast/bundle/media-path';
import { createPage, type Page, type SiteSettings } from '@archiefkast/site';
import { namingOf, originalOf } from '../edition/identity.ts';
import { withPictureAddresses } from '../edition/own-pages.ts';
import type { RecordViews } from '../edition/record-views.ts';
import type { ArchiveRequest } from './route.ts';

/** Creates the page of a request, in the edition of its response; its links repeat the parameter `edition`. */
export function createPageOf(
  settings: SiteSettings,
  request: Pick<ArchiveRequest, 'language' | 'path' | 'served'> & { parameters?: URLSearchParams },
): Page {
  const { language, path, served, parameters } = request;
  const archive = served?.edition.archive;
  const logo = archive?.logo && mediaAddress(settings.baseUrl, archive.logo);
  const state = new URLSearchParams(parameters);
  state.delete('edition');
  return createPage(settings, {
    ...{ language, path: path.slice(1), edition: parameters?.get('edition') ?? undefined },
    query: state.size > 0 ? `?${state}` : '',
    archive: archive && {
      ...archive,
      logo,
      pages: archive.pages && withPictureAddresses(archive.pages, settings.baseUrl),
    },
    naming: namingOf(archive, settings),
    original: originalOf(archive, settings),
  });
}

/** The request of a page, with the page to write, and the reader of its records. */
export interface PageRequest extends ArchiveRequest {
  page: Page;
  views: RecordViews;
}
