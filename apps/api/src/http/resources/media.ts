import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ConfigError } from '../../config.ts';
import {
  decodeMediaPath,
  MEDIA_PATH,
  matchesExtension,
  SIGNATURE_BYTES,
  typeByName,
} from '../../media-path.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import type { StandaloneRoute } from '../contract/route.ts';

/** The files in the media folder. */
export function mediaRoute(folder: string): StandaloneRoute {
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
    async respond({ segment }) {
      const found = await findMedia(folder, segment('path'));
      if (!found) return undefined;
      const { file, ...facts } = found;
      return { ...facts, body: file };
    },
  };
}

/** A file in the media folder. */
interface MediaFile {
  contentType: string;
  file: VirtualFile;
  /** Changes with the content. */
  version: string;
  modifiedAt: Date;
}

/** A media file exists but cannot be read. */
export class MediaUnreadableError extends Error {
  override name = 'MediaUnreadableError';
}

/** Error codes for a missing file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Size of a read, in bytes. */
const READ_BYTES = 2 ** 18;

/**
 * Resolves the symbolic links of the media folder, as `findMedia` needs.
 *
 * @throws ConfigError if it is not a readable folder
 */
export async function resolveMediaFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    await (await opendir(real)).close();
    return real;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`MEDIA_DIR: expected a readable folder, got "${folder}": ${reason}`);
  }
}

/**
 * Finds the file at a percent-encoded URL path. Symbolic links must stay within the folder.
 *
 * @param folder an absolute path without symbolic links
 * @returns undefined if there is no file that may be served
 * @throws MediaUnreadableError if the file exists but cannot be read
 */
async function findMedia(folder: string, path: string): Promise<MediaFile | undefined> {
  const decoded = decodeMediaPath(path);
  const contentType = decoded && typeByName(decoded);
  if (!contentType) return undefined;
  try {
    const real = await realpath(join(folder, decoded));
    const isWithin = real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
    return isWithin ? await look(real, decoded, contentType) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && ABSENT.has(String(error.code))) return undefined;
    throw new MediaUnreadableError(`MEDIA_DIR: ${decoded} cannot be read`, { cause: error });
  }
}

/** Reads the facts of a file; undefined if it is not a regular file, or its content does not match its extension. */
async function look(real: string, name: string, contentType: string): Promise<MediaFile | undefined> {
  // Do not wait for a pipe, nor follow a link that has replaced the file since `realpath`.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || !matchesExtension(name, await readHead(handle))) return undefined;
    return {
      contentType,
      file: fileOnDisk(real, Number(stats.size)),
      version: `${stats.size} ${stats.mtimeNs}`,
      modifiedAt: new Date(Number(stats.mtimeMs)),
    };
  } finally {
    await handle.close();
  }
}

async function readHead(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** A file on disk, opened on read: a response without a body opens nothing. */
function fileOnDisk(path: string, size: number): VirtualFile {
  return {
    size,
    isStored: true,
    measure: async () => ({ bytes: size, isWhole: true }),
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
