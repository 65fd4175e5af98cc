import { extname } from 'node:path';
import type { Kind } from '@archiefkast/types';
import { MediaUnreadableError, withMedia } from '../../media-file.ts';
import { extensionOf, isMediaPath, matchesExtension } from '../../media-path.ts';
import type { BundleRecord } from './record-schemas.ts';
import type { WarningCode, WarningList } from './warning-list.ts';
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
    const found = await faultOfFile(folder, path);
    if (found) warnings.add(found.code, kind, line, field, found.reason);
  }
}

async function faultOfFile(
  folder: string | null,
  path: string,
): Promise<{ code: WarningCode; reason: string } | undefined> {
  if (folder === null) {
    const reason = 'is a path in MEDIA_DIR, which is not set: the file will not be sent';
    return { code: 'media-unset', reason };
  }
  let head: Buffer | undefined;
  try {
    head = await withMedia(folder, path, async (media) => media.head);
  } catch (error) {
    if (!(error instanceof MediaUnreadableError)) throw error;
    return { code: 'media-missing', reason: `"${path}" in ${folder} cannot be read` };
  }
  if (!head) return { code: 'media-missing', reason: `"${path}" is not in ${folder}` };
  if (matchesExtension(path, head)) return undefined;
  const extension = extensionOf(head);
  const renamed = path.slice(0, path.length - extname(path).length) + extension;
  const advice = extension
    ? `contains a ${extension} file: rename it to ${renamed}`
    : `does not contain a ${extname(path).toLowerCase()} file`;
  return { code: 'media-type', reason: `"${path}" ${advice}; it will not be sent` };
}
