import { typeByName } from './media-types.ts';

/** Where the files of MEDIA_DIR are, below the base URL. */
export const MEDIA_PATH = '/media/';

/** A name that is not hidden, and leads nowhere else. */
const NAME = /^[^./\\\0][^/\\\0]*$/;

/**
 * Whether a text can be the path of a file below MEDIA_DIR: names with slashes between, the last of them of a type that
 * is served. What begins as a web address does is none, `http:foo.jpg` included.
 */
export function isMediaPath(path: string): boolean {
  const names = path.split('/');
  return (
    path.isWellFormed() &&
    !/^https?:/i.test(path) &&
    names.every((name) => NAME.test(name)) &&
    typeByName(names.at(-1) ?? '') !== undefined
  );
}

/** The address of a file that a bundle names: an address as it stands, or a path below MEDIA_DIR. */
export function mediaAddress(baseUrl: string, file: string): string {
  return isMediaPath(file) ? baseUrl + MEDIA_PATH + file.split('/').map(encodeURIComponent).join('/') : file;
}

/** The path below MEDIA_DIR of what an address leads to; undefined for the address of anything else. */
export function pathOfMediaAddress(baseUrl: string, address: string): string | undefined {
  const start = baseUrl + MEDIA_PATH;
  return address.startsWith(start) ? decodeMediaPath(address.slice(start.length)) : undefined;
}

/** The path that an address has below `/media/`, decoded; undefined where it cannot be that of a file. */
export function decodeMediaPath(encoded: string): string | undefined {
  try {
    const names = encoded.split('/').map(decodeURIComponent);
    return names.every((name) => NAME.test(name)) && isMediaPath(names.join('/'))
      ? names.join('/')
      : undefined;
  } catch {
    return undefined;
  }
}
