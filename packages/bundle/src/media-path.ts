import { extname } from 'node:path';

/** URL path of the files in MEDIA_DIR. */
export const MEDIA_PATH = '/media/';

/** A valid file or folder name: not hidden, and without separators. */
const NAME = /^[^./\\\0][^/\\\0]*$/;

/**
 * Whether a text is a valid path in MEDIA_DIR: names separated by slashes, the last with a supported extension. Text that
 * starts like a URL is invalid, including `http:foo.jpg`.
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

/** The URL of a file in a bundle, which is given as a URL or as a path in MEDIA_DIR. */
export function mediaAddress(baseUrl: string, file: string): string {
  return isMediaPath(file) ? baseUrl + MEDIA_PATH + file.split('/').map(encodeURIComponent).join('/') : file;
}

/** The path in MEDIA_DIR of a URL; undefined for other URLs. */
export function pathOfMediaAddress(baseUrl: string, address: string): string | undefined {
  const start = baseUrl + MEDIA_PATH;
  return address.startsWith(start) ? decodeMediaPath(address.slice(start.length)) : undefined;
}

/** Decodes a URL path below `/media/`; undefined if it is not a valid path of a file. */
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

/** Number of bytes at the start of a file that identify its type. */
export const SIGNATURE_BYTES = 64;

/** A type of files that are sent. */
export interface MediaType {
  contentType: string;
  extensions: readonly [string, ...string[]];
  /** What the first bytes of such a file look like, as Latin-1. */
  signature: RegExp;
}

/** The supported types: raster images and PDF, which cannot contain scripts that run in a page. */
const MEDIA_TYPES: readonly MediaType[] = [
  { contentType: 'image/jpeg', extensions: ['.jpg', '.jpeg'], signature: /^\xff\xd8\xff/ },
  { contentType: 'image/png', extensions: ['.png'], signature: /^\x89PNG\r\n.\n/s },
  { contentType: 'image/gif', extensions: ['.gif'], signature: /^GIF8[79]a/ },
  { contentType: 'image/webp', extensions: ['.webp'], signature: /^RIFF.{4}WEBP/s },
  // The first box is `ftyp`: its length, its name, and the brands of the file.
  { contentType: 'image/avif', extensions: ['.avif'], signature: /^.{4}ftyp(?:.{4})*?avi[fs]/s },
  { contentType: 'application/pdf', extensions: ['.pdf'], signature: /^%PDF-/ },
];

/** The supported extensions as a list for messages: `.jpg, .jpeg, …`. */
export const MEDIA_EXTENSIONS = MEDIA_TYPES.flatMap(({ extensions }) => extensions).join(', ');

/** The media type by the extension of a file; undefined if unsupported. */
export function typeByName(name: string): MediaType | undefined {
  const extension = extname(name).toLowerCase();
  return MEDIA_TYPES.find(({ extensions }) => extensions.includes(extension));
}

/** The media type by the first bytes of a file; undefined if unsupported. */
export function typeByContent(head: Buffer): MediaType | undefined {
  const text = head.toString('latin1');
  return MEDIA_TYPES.find(({ signature }) => signature.test(text));
}
