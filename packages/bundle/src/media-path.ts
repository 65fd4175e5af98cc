import { extname } from 'node:path';
import { MEDIA_PATH } from '@archiefkast/types/internal/dump-blocks';

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
  /** Whether these first bytes are of such a file. */
  matches(head: Buffer): boolean;
}

const begins = (bytes: string) => (head: Buffer) => head.toString('latin1', 0, bytes.length) === bytes;

/** The supported types: raster images and PDF, which cannot contain scripts that run in a page. */
const MEDIA_TYPES: readonly MediaType[] = [
  { contentType: 'image/jpeg', extensions: ['.jpg', '.jpeg'], matches: begins('\xff\xd8\xff') },
  { contentType: 'image/png', extensions: ['.png'], matches: begins('\x89PNG\r\n\x1a\n') },
  {
    contentType: 'image/gif',
    extensions: ['.gif'],
    matches: (head) => begins('GIF87a')(head) || begins('GIF89a')(head),
  },
  {
    contentType: 'image/webp',
    extensions: ['.webp'],
    matches: (head) => begins('RIFF')(head) && head.toString('latin1', 8, 12) === 'WEBP',
  },
  { contentType: 'image/avif', extensions: ['.avif'], matches: isAvif },
  { contentType: 'application/pdf', extensions: ['.pdf'], matches: begins('%PDF-') },
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
  return MEDIA_TYPES.find(({ matches }) => matches(head));
}

/** The first box of an AVIF file is `ftyp`: four bytes of length, the name, and the brands of the file. */
function isAvif(head: Buffer): boolean {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)));
  return /^(?:.{4})*?avi[fs]/s.test(brands);
}
