import { withMedia } from '@archiefkast/bundle/media-file';
import { decodeMediaPath, typeByName } from '@archiefkast/bundle/media-path';
import { MEDIA_PATH } from '@archiefkast/types/internal/dump-blocks';
import { fileOnDisk } from '../file-on-disk.ts';
import type { Answer, Route } from '../route.ts';

/** The route of the files in the media folder. @param folder an absolute path without symbolic links */
export function mediaRoute(folder: string): Route {
  return {
    path: `${MEDIA_PATH}*path`,
    atRoot: true,
    name: 'Media',
    description: 'Pictures and PDF files that records name.',
    dependsOn: 'state',
    parameters: [],
    content: { contentType: '*/*', isCompressed: true, hasRanges: true },
    /** @throws MediaUnreadableError if the file exists but cannot be read */
    async handle({ path }): Promise<Answer | undefined> {
      const decoded = decodeMediaPath(path.slice(MEDIA_PATH.length));
      if (decoded === undefined) return undefined;
      return withMedia(folder, decoded, async ({ real, handle, type }) => {
        if (!type || type !== typeByName(decoded)) return undefined;
        const { size, mtimeNs, mtimeMs } = await handle.stat({ bigint: true });
        return {
          contentType: type.contentType,
          body: fileOnDisk(real, Number(size), 'MEDIA_DIR'),
          version: `${size} ${mtimeNs}`,
          modifiedAt: new Date(Number(mtimeMs)),
        };
      });
    },
  };
}
