import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IMAGE_TYPE, IMAGES_PATH } from '@archiefkast/formats/image-service';
import { isMissing } from '@archiefkast/system';
import { fileOnDisk } from '../../http/file-on-disk.ts';
import { type Answer, fixedAnswer, type Redirect, type Route } from '../../http/route.ts';
import type { ProtocolTools } from '../protocol.ts';

/** The paths of the static files of a picture by the Image API 3, level 0: its description, whole sizes, and tiles. */
const FILE = /^[\da-f]{64}\/(?:info\.json|(?:full|\d+,\d+,\d+,\d+)\/(?:max|\d+,\d+)\/0\/default\.jpg)$/;

/** The sizes and tiles of pictures, if this server has some. */
export function imageRoutes({ baseUrl, picturesFolder }: ProtocolTools): Route[] {
  if (picturesFolder === undefined) return [];
  return [
    {
      path: `${IMAGES_PATH}*path`,
      atRoot: true,
      name: 'IIIF images',
      description: 'Smaller sizes and tiles of pictures.',
      dependsOn: 'state',
      parameters: [],
      content: { contentType: 'image/jpeg', isCompressed: true, hasRanges: true },
      /** @throws Error if the file exists but cannot be read */
      async handle({ path }): Promise<Answer | Redirect | undefined> {
        const name = path.slice(IMAGES_PATH.length);
        const [sha256 = ''] = name.split('/', 1);
        const isService = name === sha256;
        const file = isService ? `${name}/info.json` : name;
        if (!FILE.test(file)) return undefined;
        const found = await stat(join(picturesFolder, file)).catch(noneIfMissing);
        if (!found?.isFile()) return undefined;
        if (isService) return { location: `${sha256}/info.json`, status: 303 };
        if (!name.endsWith('.json')) {
          const body = fileOnDisk(join(picturesFolder, file), found.size, 'PICTURES_DIR');
          return { body, version: `${found.size} ${found.mtimeMs}`, modifiedAt: found.mtime, isHashed: true };
        }
        // The folder may have been made for another address of the archive.
        const info = JSON.parse(await readFile(join(picturesFolder, file), 'utf8'));
        const text = JSON.stringify({ ...info, id: baseUrl + IMAGES_PATH + sha256 });
        return { ...fixedAnswer(text), contentType: IMAGE_TYPE };
      },
    },
  ];
}

/** @throws the error, if it is another */
function noneIfMissing(error: unknown): undefined {
  if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR'))
    return undefined;
  throw error;
}
