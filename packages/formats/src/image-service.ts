import type { FileObject, PictureSize } from '@archiefkast/types';
import { MEDIA_PATH } from '@archiefkast/types/internal/dump-blocks';

/** The path of the image services of a server: each is named by the SHA-256 of its picture. */
export const IMAGES_PATH = '/iiif/images/';

/** The type of the descriptions of the Image API 3. */
export const IMAGE_TYPE = 'application/ld+json;profile="http://iiif.io/api/image/3/context.json"';

/** Width and height in pixels. */
type Size = Pick<PictureSize, 'width' | 'height'>;

/** The longest sides of the smaller sizes of a picture, in pixels. */
const SIDES = [200, 400, 640, 1_000, 1_600];

/** The sizes of a picture by the Image API: those that are smaller than the picture, smallest first, and the picture itself. */
export function sizesFor({ width, height }: Size): Size[] {
  const longest = Math.max(width, height);
  const scaled = (pixels: number, side: number) => Math.max(1, Math.round((pixels * side) / longest));
  const smaller = SIDES.filter((side) => side < longest).map((side) => ({
    width: scaled(width, side),
    height: scaled(height, side),
  }));
  return [...smaller, { width, height }];
}

/** Settings of where smaller sizes and tiles of pictures are. */
export interface ImageSettings {
  baseUrl: string;
  /** The folder of those that this server has; undefined if it has none. */
  picturesFolder?: string | undefined;
  /** Base of the addresses of another server that has them, without a final slash. */
  imageServer?: string | undefined;
}

/** The sizes and tiles of a picture by the Image API 3, level 0. */
export interface ImageService {
  /** Its address. */
  id: string;
  /** The size of the picture. */
  width: number;
  height: number;
}

/**
 * Where the sizes and tiles of a picture of a record are; undefined if there are none.
 *
 * @param file the picture, with an absolute address
 */
export function imageServiceOf(
  { baseUrl, picturesFolder, imageServer }: ImageSettings,
  { uuid, path }: FileObject,
  sizes: readonly PictureSize[] = [],
): ImageService | undefined {
  const { sha256, width, height } = sizes.find((size) => size.uuid === uuid) ?? {};
  if (!sha256 || !width || !height) return undefined;
  if (imageServer !== undefined) return { id: `${imageServer}/${sha256}`, width, height };
  // A copy need not host the pictures of its original.
  const isHosted = picturesFolder !== undefined && path?.startsWith(baseUrl + MEDIA_PATH);
  return isHosted ? { id: baseUrl + IMAGES_PATH + sha256, width, height } : undefined;
}

/** The address of a whole picture in one of its sizes. */
export function addressOfSize({ id, ...picture }: ImageService, { width, height }: Size): string {
  return `${id}/full/${width === picture.width ? 'max' : `${width},${height}`}/0/default.jpg`;
}
