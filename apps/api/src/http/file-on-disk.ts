import { createReadStream } from 'node:fs';
import { MediaUnreadableError } from '@archiefkast/bundle/media-file';
import type { VirtualFile } from '../edition/dumps.ts';

/** Size of a read, in bytes. */
const READ_BYTES = 2 ** 18;

/** A file on disk, opened on read: a response without a body opens nothing. @param setting of its folder */
export function fileOnDisk(path: string, size: number, setting: string): VirtualFile {
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
      if (left > 0) throw new MediaUnreadableError(`${setting}: ${path} became shorter while it was sent`);
    },
  };
}
