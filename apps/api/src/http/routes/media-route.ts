import { findMedia } from '../../media/media-folder.ts';
import { MEDIA_PATH } from '../../media/media-path.ts';
import type { DocumentRoute } from './route.ts';

/** The files of a folder of media. */
export function mediaRoute(folder: string): DocumentRoute {
  return {
    path: `${MEDIA_PATH}*path`,
    atRoot: true,
    name: 'Media',
    description: 'Pictures and PDF files that records name.',
    group: 'About',
    isPage: true,
    isFile: true,
    isCompressed: true,
    parameters: [],
    content: { contentType: '*/*' },
    async document({ segment }) {
      const found = await findMedia(folder, segment('path'));
      if (!found) return undefined;
      const { file, ...facts } = found;
      return { ...facts, body: file };
    },
  };
}
