import { createReadStream } from 'node:fs';
import { MediaUnreadableError, withMedia } from '@archiefkast/bundle/media-file';
import { decodeMediaPath, MEDIA_PATH, typeByName } from '@archiefkast/bundle/media-path';
import type { VirtualFile } from '../../edition/dumps.ts';
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
          body: fileOnDisk(real, Number(size)),
          version: `${size} ${mtimeNs}`,
          modifiedAt: new Date(Number(mtimeMs)),
        };
      });
    },
  };
}

/** Size of a read, in bytes. */
const READ_BYTES = 2 ** 18;

/** A file on disk, opened on read: a response without a body opens nothing. */
function fileOnDisk(path: string, size: number): VirtualFile {
  return {
    size,
    isStored: true,
    async *read(start = 0, end = size) {
      if (start >= end) return;
      let left = end - start;
      const stream: AsyncIterable<Buffer> = createReadStream(path, {
        start,
        end: end - 1,
        highWaterMark: READ_BYTES,
      });
      for await (const bytes of stream) {
        left -= bytes.length;
        yield bytes;
      }
      // Content-Length was sent: an error closes the connection, so that the client notices the truncation.
      if (left > 0) throw new MediaUnreadableError(`MEDIA_DIR: ${path} became shorter while it was sent`);
    },
  };
}
