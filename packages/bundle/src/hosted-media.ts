import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withImages } from '@archiefkast/formats/markdown-page';
import { type Fields, isObject } from '@archiefkast/types/internal';
import { baseOf } from '@archiefkast/types/internal/dump-blocks';
import { pathOfMediaAddress } from './media-path.ts';
import type { RecordSource } from './record-source.ts';
import type { MediaFolder } from './warnings.ts';

/**
 * The records, own pages and logo of a copy, with paths in the media folder for those files of the original that are there: the copy hosts
 * them. Other sources are returned as they are.
 */
export function withHostedMedia(source: RecordSource, folder: MediaFolder | undefined): RecordSource {
  const { archive } = source;
  if (!folder || !archive?.mirror_of) return source;
  const { address } = archive.mirror_of;
  const isHosted = (path: string) => existsSync(join(folder, path));
  const hosted = (image: string) => hostedPath(address, image, isHosted);
  const withPaths = (pages: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, withImages(text, hosted)]));
  const { logo, pages } = archive;
  return {
    ...source,
    archive: {
      ...archive,
      ...(logo !== undefined && { logo: hosted(logo) }),
      ...(pages && { pages: { nl: withPaths(pages.nl), en: withPaths(pages.en) } }),
    },
    async *records(kind, faults) {
      for await (const found of source.records(kind, faults)) {
        const { value } = found;
        const base = isObject(value) ? baseOf(String(value['url'])) : '';
        yield isObject(value) && base ? { ...found, value: withMediaPaths(value, base, isHosted) } : found;
      }
    },
  };
}

/** A record with the paths in MEDIA_DIR of its images and files that are at the base URL, as in a bundle. */
export function withMediaPaths(
  record: Fields,
  baseUrl: string,
  isHosted: (path: string) => boolean = () => true,
): Fields {
  const { image, main_image, files } = record;
  const given = JSON.stringify({ image, main_image, files }, (name, value) =>
    name === 'path' && typeof value === 'string' ? hostedPath(baseUrl, value, isHosted) : value,
  );
  return { ...record, ...JSON.parse(given) };
}

/** The path in MEDIA_DIR of an address at the base URL, if it is hosted; other addresses as they are. */
function hostedPath(baseUrl: string, address: string, isHosted: (path: string) => boolean): string {
  const path = pathOfMediaAddress(baseUrl, address);
  return path !== undefined && isHosted(path) ? path : address;
}
