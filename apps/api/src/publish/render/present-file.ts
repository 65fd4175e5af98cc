import type { FileObject } from '@archiefkast/types';
import { mediaAddress } from '../../media-path.ts';
import { BASE_URL_MARK } from '../../storage/marks.ts';
import type { BundleFile } from '../bundle/record-schemas.ts';

/** The wire object of an image or file: a path below MEDIA_DIR becomes its address. */
export function presentFile(file: BundleFile): FileObject {
  const { path } = file;
  return {
    id: file.id,
    uuid: file.uuid,
    name: file.name,
    title: file.title,
    alt: file.alt,
    url: file.url,
    path: path === null ? null : mediaAddress(BASE_URL_MARK, path),
    filetype: file.filetype,
    description: file.description,
    author: file.author,
    copyright: file.copyright,
  };
}

/** The wire object of an image; null where there is none. */
export function presentImage(image: BundleFile | null): FileObject | null {
  return image === null ? null : presentFile(image);
}
