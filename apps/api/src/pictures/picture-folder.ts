import { createHash, hash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Size } from '@archiefkast/bundle';
import { withMedia } from '@archiefkast/bundle/media-file';
import { typeByName } from '@archiefkast/bundle/media-path';
import { IMAGES_PATH, sizesFor } from '@archiefkast/formats/image-service';
import { isSystemError, makeFolder, WriteError } from '@archiefkast/system';
import type { Sharp } from 'sharp';
import { type Config, ConfigError } from '../config.ts';

/** Width and height of a tile, in pixels. */
const TILE = 512;

/** Quality of JPEG, of 100. */
const QUALITY = 80;

/** Names of folders of pictures. */
const PICTURE = /^[\da-f]{64}$/;

/** Names of folders that are being written. */
const TEMPORARY = /^\.tmp-[\da-f]+$/;

/** A folder that was being written this long ago is left over from a killed process. */
const LEFT_MILLISECONDS = 3_600_000;

/** A picture of which no sizes can be made. The message says why. */
class RefusedPicture extends Error {
  override name = 'RefusedPicture';
}

/** What the folder of sizes and tiles needs of the configuration. */
type FolderConfig = Pick<Config, 'baseUrl' | 'picturesFolder' | 'imageServer'>;

/** The folder of sizes and tiles: see `openPictureFolder`. */
export type PictureFolder = NonNullable<ReturnType<typeof openPictureFolder>>;

/**
 * The folder of smaller sizes and tiles of pictures, which are static files by the IIIF Image API 3, level 0. Those of a picture are
 * in a folder that is named by the SHA-256 of its file, and that is written whole or not at all.
 *
 * @param onRefused called with a picture of which no sizes can be made, by its path in `media`, and why
 * @returns undefined if PICTURES_DIR is off
 */
export function openPictureFolder(
  { baseUrl, picturesFolder: folder, imageServer }: FolderConfig,
  media: string | null | undefined,
  onRefused: (path: string, reason: string) => void = () => {},
) {
  if (folder === undefined) return undefined;
  const base = imageServer === undefined ? baseUrl + IMAGES_PATH : `${imageServer}/`;
  const known = new Map<string, Size>();
  const refused = new Set<string>();
  const has = (sha256: string) => existsSync(join(folder, sha256));

  /** Makes the sizes and tiles of a file. @returns its hash and its size as it is shown @throws RefusedPicture */
  const makeOf = async (file: string): Promise<Size> => {
    const digest = createHash('sha256');
    await pipeline(createReadStream(file), digest);
    const sha256 = digest.digest('hex');
    const place = join(folder, sha256);
    if (!has(sha256)) await writePicture(folder, place, `${base}${sha256}`, file);
    const { width, height } = JSON.parse(await readFile(join(place, 'info.json'), 'utf8'));
    return { width, height, sha256 };
  };

  return {
    has,
    /**
     * Makes the sizes and tiles of a picture in the media folder, unless they are there.
     *
     * @returns its hash and its size as it is shown; undefined if none can be made of it, or it is not there
     * @throws ConfigError if sharp is not installed; WriteError if the folder cannot be written
     */
    async make(path: string): Promise<Size | undefined> {
      const before = known.get(path);
      // What was made for a publish may have been deleted by another one meanwhile.
      if (before?.sha256 && has(before.sha256)) return before;
      if (media == null || refused.has(path) || !typeByName(path)?.contentType.startsWith('image/'))
        return undefined;
      const made = await withMedia(media, path, async ({ real, type }) =>
        type === typeByName(path)
          ? await makeOf(real).catch((error: Error) => error)
          : new RefusedPicture('the file is not of the type that its name says'),
      ).catch((error: Error) => new RefusedPicture(error.message));
      if (made instanceof RefusedPicture) {
        refused.add(path);
        onRefused(path, made.message);
        return undefined;
      }
      if (made instanceof Error)
        throw isSystemError(made) ? new WriteError(`PICTURES_DIR: ${folder}`, made) : made;
      if (made) known.set(path, made);
      return made;
    },
    /** The hash of the names, sizes and times of change of all files in `media`. */
    digestOfMedia: async () => (media == null ? '' : digestOf(media)),
    /** The hash of the names of the pictures that are there. */
    async digestOfMade(): Promise<string> {
      const names = await readdir(folder).catch(() => []);
      return hash(
        'sha256',
        names
          .filter((name) => PICTURE.test(name))
          .toSorted()
          .join(' '),
      );
    },
    /** Deletes the pictures that are not kept, and what killed processes left. @returns the number of pictures deleted */
    async sweep(kept: ReadonlySet<string>): Promise<number> {
      let count = 0;
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const isPicture = PICTURE.test(name) && !kept.has(name);
        const isLeft = TEMPORARY.test(name) && Date.now() - (await stat(path)).mtimeMs > LEFT_MILLISECONDS;
        if (isPicture || isLeft) await rm(path, { recursive: true, force: true });
        if (isPicture) count += 1;
      }
      return count;
    },
  };
}

/** The hash of what the system says of each file below a folder. The time of change (ctime) is that of a replacement too. */
async function digestOf(folder: string): Promise<string> {
  const digest = createHash('sha256');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names.toSorted()) {
    const found = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
    digest.update(`${name}\0${found?.size}\0${found?.ctimeNs}\0`);
  }
  return digest.digest('hex');
}

/** Imports sharp, which is installed by those who want it. @throws ConfigError if it is not */
async function importSharp() {
  const { default: sharp } = await import('sharp').catch((error: unknown) => {
    throw new ConfigError(
      'PICTURES_DIR: sizes of pictures are made with the package sharp, which cannot be loaded; expected it to be installed ' +
        `beside this program (npm install sharp), or PICTURES_DIR=off: ${error instanceof Error ? error.message : error}`,
    );
  });
  // The next picture is another one.
  sharp.cache(false);
  return sharp;
}

/**
 * Writes the sizes and tiles of a picture: upright, in the colours of screens (sRGB), on white where it is transparent, and without
 * metadata, which may say where it was taken.
 *
 * @param place where they are in the end
 * @param id address of the service
 * @throws RefusedPicture if the picture cannot be read, or is too large; WriteError
 */
async function writePicture(folder: string, place: string, id: string, file: string): Promise<void> {
  const sharp = await importSharp();
  const open = () =>
    sharp(file, { failOn: 'error', sequentialRead: true }).autoOrient().flatten({ background: '#fff' });
  await makeFolder(folder);
  const temporary = join(folder, `.tmp-${randomBytes(6).toString('hex')}`);
  // libvips writes a file with all metadata beside the folder of the tiles: it goes with the temporary folder.
  const written = join(temporary, 'picture');
  try {
    await mkdir(temporary);
    await writeSizes(open, written, id);
    await rename(written, place).catch((error: unknown) => {
      // Another process has made the same meanwhile.
      if (!existsSync(place)) throw error;
    });
  } catch (error) {
    // What reads the picture alone says whether that is what failed.
    await open()
      .stats()
      .catch((reason: Error) => {
        throw new RefusedPicture(reason.message.split('\n', 1)[0]);
      });
    throw new WriteError(`PICTURES_DIR: ${folder}`, error);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function writeSizes(open: () => Sharp, place: string, id: string): Promise<void> {
  const jpeg = { quality: QUALITY };
  await open().jpeg(jpeg).tile({ size: TILE, layout: 'iiif3' }).toFile(place);
  const info = JSON.parse(await readFile(join(place, 'info.json'), 'utf8'));
  const sizes = sizesFor(info);
  for (const size of sizes) {
    const isWhole = size === sizes.at(-1);
    const at = (name: string) => join(place, 'full', name, '0');
    const target = at(`${size.width},${size.height}`);
    await mkdir(target, { recursive: true });
    const picture = isWhole ? open() : open().resize({ ...size, fit: 'fill' });
    await picture.jpeg({ ...jpeg, mozjpeg: !isWhole }).toFile(join(target, 'default.jpg'));
    if (!isWhole) continue;
    await mkdir(at('max'), { recursive: true });
    await link(join(target, 'default.jpg'), join(at('max'), 'default.jpg'));
  }
  await writeFile(join(place, 'info.json'), JSON.stringify({ ...info, id, sizes }));
}
