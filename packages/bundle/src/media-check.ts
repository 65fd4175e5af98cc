import { extname } from 'node:path';
import type { Kind } from '@archiefkast/types';
import type { WarningList } from './faults.ts';
import { MediaUnreadableError, withMedia } from './media-file.ts';
import { extensionOf, isMediaPath, matchesExtension } from './media-path.ts';
import type { BundleRecord } from './record-schemas.ts';
import { addressesOf } from './warnings.ts';

/** The folder of the files that records name by path, without symbolic links; `null` if the server has none. */
export type MediaFolder = string | null;

/** Warns of files in MEDIA_DIR that the server will not send. */
export async function warnOfMedia<K extends Kind>(
  folder: MediaFolder,
  kind: K,
  record: BundleRecord[K],
  line: number,
  warnings: WarningList,
): Promise<void> {
  for (const { field, path } of addressesOf(record)) {
    if (!isMediaPath(path)) continue;
    const warn = (code: string, reason: string) => warnings.add(code, kind, line, field, reason);
    if (folder === null) {
      warn('media-unset', 'is a path in MEDIA_DIR, which is not set: the file will not be sent');
      continue;
    }
    try {
      const head = await withMedia(folder, path, async (media) => media.head);
      if (!head) warn('media-missing', `"${path}" is not in ${folder}`);
      else if (!matchesExtension(path, head))
        warn('media-type', `"${path}" ${describeType(path, head)}; it will not be sent`);
    } catch (error) {
      if (!(error instanceof MediaUnreadableError)) throw error;
      warn('media-missing', `"${path}" in ${folder} cannot be read`);
    }
  }
}

function describeType(path: string, head: Buffer): string {
  const extension = extensionOf(head);
  return extension
    ? `contains a ${extension} file: rename it to ${path.slice(0, -extname(path).length)}${extension}`
    : `does not contain a ${extname(path).toLowerCase()} file`;
}
