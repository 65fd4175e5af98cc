import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ConfigError } from '../../config.ts';
import {
  decodeMediaPath,
  isWhatItsNameSays,
  MEDIA_PATH,
  SIGNATURE_BYTES,
  typeByName,
} from '../../media-path.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import type { StandaloneRoute } from '../contract/route.ts';

/** The files of a folder of media. */
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

/** A file of a folder of media. */
interface MediaFile {
  contentType: string;
  file: VirtualFile;
  /** Differs where the bytes differ. */
  version: string;
  modifiedAt: Date;
}

/** A file of the folder cannot be read. */
export class MediaUnreadableError extends Error {
  override name = 'MediaUnreadableError';
}

/** What the system says where there is no such file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Bytes that are read at a time. */
const READ_BYTES = 2 ** 18;

/**
 * The folder of media as `findMedia` takes it.
 *
 * @throws ConfigError when it is no folder that can be read
 */
export async function resolveMediaFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    await (await opendir(real)).close();
    return real;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`MEDIA_DIR: expected a folder that can be read, got "${folder}": ${reason}`);
  }
}

/**
 * The file of a folder at a path, as an address has it: percent-encoded, with slashes. Symbolic links may lead anywhere
 * in the folder, and nowhere else.
 *
 * @param folder an absolute path without symbolic links
 * @returns undefined where there is no file that may be served
 * @throws MediaUnreadableError where there is one, and it cannot be read
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

/** Reads what there is to know of a file, and whether it is what its name says. */
async function look(real: string, name: string, contentType: string): Promise<MediaFile | undefined> {
  // A pipe must not be waited for, and what has become a link meanwhile is not followed.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || !isWhatItsNameSays(name, await readHead(handle))) return undefined;
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

/** It is opened when it is read: an answer without a body leaves nothing open. */
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
      // Its length has been promised: the connection is cut, so that nobody takes what came for whole.
      if (left > 0) throw new MediaUnreadableError(`MEDIA_DIR: ${path} became shorter while it was sent`);
    },
  };
}
