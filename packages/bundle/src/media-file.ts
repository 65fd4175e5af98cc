import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type MediaType, SIGNATURE_BYTES, typeByContent } from './media-path.ts';

/** A media file exists but cannot be read. */
export class MediaUnreadableError extends Error {
  override name = 'MediaUnreadableError';
}

/** An open file in the media folder. */
export interface OpenMedia {
  /** Its path without symbolic links. */
  real: string;
  handle: FileHandle;
  /** Its type by its content; undefined if unsupported. */
  type: MediaType | undefined;
}

/** Error codes for a missing file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/**
 * Opens a file in the media folder for `work`. Symbolic links must stay within the folder; names are found in either
 * Unicode form, as programs and disks write `é` as one character (NFC) or as two (NFD).
 *
 * @param folder an absolute path without symbolic links
 * @returns undefined if there is no regular file of that name
 * @throws MediaUnreadableError if the file exists but cannot be read
 */
export async function withMedia<Result>(
  folder: string,
  path: string,
  work: (media: OpenMedia) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const real = (await realPath(join(folder, path))) ?? (await realPathInOtherForm(folder, path));
    if (real === undefined || !real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      return undefined;
    // Do not wait for a pipe, nor follow a link that has replaced the file since `realpath`.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return undefined;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
      return await work({ real, handle, type: typeByContent(buffer.subarray(0, bytesRead)) });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw new MediaUnreadableError(`MEDIA_DIR: ${path} cannot be read`, { cause: error });
  }
}

async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
}

/** The real path of a file whose names are stored in other Unicode forms; undefined if there is none. */
async function realPathInOtherForm(folder: string, path: string): Promise<string | undefined> {
  if (path.normalize('NFC') === path.normalize('NFD')) return undefined;
  let found = folder;
  for (const name of path.split('/')) {
    const forms = [name, name.normalize('NFC'), name.normalize('NFD')].map((form) => join(found, form));
    const present = await Promise.all(forms.map((form) => lstat(form).catch(() => undefined)));
    const form = forms.find((_, place) => present[place]);
    if (form === undefined) return undefined;
    found = form;
  }
  return realPath(found);
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.has(String(error.code));
}
