import type { PictureSize } from '@archiefkast/types';
import { imageSize } from 'image-size';
import { withMedia } from './media-file.ts';
import { isMediaPath } from './media-path.ts';
import type { BundleFile, BundleRecord } from './record-schemas.ts';
import type { RecordSource } from './record-source.ts';
import type { Supplements } from './supplements.ts';
import type { MediaFolder } from './warnings.ts';

/** What says the sizes of the pictures of a bundle. */
export interface PictureSources {
  source: Pick<RecordSource, 'archive'>;
  supplements: Pick<Supplements, 'picturesOf'>;
  /** The folder of the files that records name by path; `null` or undefined if there is none. */
  media?: MediaFolder | undefined;
  /** Makes smaller sizes of a picture in that folder, unless there are some; undefined if none can be made of it. */
  makeSizes?: ((path: string) => Promise<Size | undefined>) | undefined;
}

/** Width and height in pixels, as a picture is shown; with the hash of its file if there are smaller sizes of it. */
export type Size = Omit<PictureSize, 'uuid'>;

/** Bytes at the start of a file that are read for its size: a JPEG may have a preview before it. */
const HEAD_BYTES = 2 ** 18;

/** The orientations of EXIF in which a picture lies on its side. */
const LYING = 5;

/** Reads the size of a picture in the media folder; undefined if there is none, or its size cannot be read. */
export async function readPictureSize(folder: string, path: string): Promise<Size | undefined> {
  const read = withMedia(folder, path, async ({ handle }) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const { width, height, orientation = 1 } = imageSize(buffer.subarray(0, bytesRead));
    const size = orientation >= LYING ? { width: height, height: width } : { width, height };
    return isSize(size) ? size : undefined;
  });
  // A picture that cannot be read is shown as any other; its own address has the error.
  return await read.catch(() => undefined);
}

/** An address of the IIIF Image API that says width and height: …/{region}/{width},{height}/0/{quality}.{format} */
const IIIF_ADDRESS =
  /\/[^/]+\/(?:\^|%5E)?(\d{1,9}),(\d{1,9})\/0\/(?:default|color|gray|bitonal|native)\.\w+$/;

function sizeInAddress(address: string): Size | undefined {
  const [, width, height] = IIIF_ADDRESS.exec(URL.parse(address)?.pathname ?? '') ?? [];
  const size = { width: Number(width), height: Number(height) };
  return isSize(size) ? size : undefined;
}

/** Whether width and height are whole numbers from 1. */
function isSize({ width = 0, height = 0 }: Partial<Size>): boolean {
  return [width, height].every((pixels) => Number.isSafeInteger(pixels) && pixels > 0);
}

/** The pictures of a record, the main one first. */
function picturesOf(record: BundleRecord[keyof BundleRecord]): BundleFile[] {
  const main = 'main_image' in record ? record.main_image : record.image;
  return [main, ...record.files].filter((file) => file?.filetype === 'image').filter((file) => file !== null);
}

/**
 * The sizes of the pictures of a record: of hosted ones that of the file, of others what the record, a supplement or an IIIF address
 * says. A picture of which it is not known is left out. Of a copy, what the original says, whose bytes are those that it publishes.
 */
export async function sizesOf(
  { source, supplements, media, makeSizes }: PictureSources,
  record: BundleRecord[keyof BundleRecord],
): Promise<PictureSize[]> {
  const isCopy = source.archive?.mirror_of !== undefined;
  const said = new Map(
    supplements
      .picturesOf(record.uuid)
      .map(({ uuid, width, height, sha256 }) => [
        uuid,
        { width, height, ...(isCopy && sha256 && { sha256 }) },
      ]),
  );
  const sizes = new Map<string, Size>();
  for (const { uuid, url, path, width, height } of picturesOf(record)) {
    const own = width && height ? { width, height } : said.get(uuid);
    const hosted = media && path && isMediaPath(path) ? { media, path } : undefined;
    const made = hosted && (await makeSizes?.(hosted.path));
    const read = hosted && !isCopy ? (made ?? (await readPictureSize(hosted.media, hosted.path))) : undefined;
    const size = read ?? own ?? sizeInAddress(path ?? url);
    if (size) sizes.set(uuid, size);
  }
  return Array.from(sizes, ([uuid, size]) => ({ uuid, ...size }));
}

/** A record whose pictures have the sizes that a supplement says, as a bundle without it has them. */
export function withSizes<Record extends BundleRecord[keyof BundleRecord]>(
  record: Record,
  sizes: readonly PictureSize[],
): Record {
  if (sizes.length === 0) return record;
  const sized = (file: BundleFile | null) => {
    const { width, height } = sizes.find(({ uuid }) => uuid === file?.uuid) ?? {};
    return { ...(width && { width, height }), ...file };
  };
  const main = 'main_image' in record ? 'main_image' : 'image';
  const image = 'main_image' in record ? record.main_image : record.image;
  return { ...record, [main]: image && sized(image), files: record.files.map(sized) };
}

/** The number of pictures of a record of which the size is not known: those in a media folder that is not there are not counted. */
export async function countUnsized(
  bundle: PictureSources,
  record: BundleRecord[keyof BundleRecord],
): Promise<number> {
  const pictures = picturesOf(record).filter(({ path }) => bundle.media || !path || !isMediaPath(path));
  if (pictures.length === 0) return 0;
  const known = new Set((await sizesOf(bundle, record)).map(({ uuid }) => uuid));
  return pictures.filter(({ uuid }) => !known.has(uuid)).length;
}
