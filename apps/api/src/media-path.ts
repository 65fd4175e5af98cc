import { extname } from 'node:path';

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

/** First bytes of a file that tell what is in it. */
export const SIGNATURE_BYTES = 64;

interface MediaType {
  contentType: string;
  extensions: readonly string[];
  /** Whether a file that begins with these bytes is of this type. */
  matches(head: Buffer): boolean;
}

const begins = (bytes: string) => (head: Buffer) => head.toString('latin1', 0, bytes.length) === bytes;

/** What is served of a folder of media: pictures made of points, and PDF. None of these can hold a script of a page. */
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

/** The ends of names that are served, as people read them: `.jpg, .jpeg, …`. */
export const MEDIA_EXTENSIONS = MEDIA_TYPES.flatMap(({ extensions }) => extensions).join(', ');

/** The type that the name of a file says it has; undefined for one that is not served. */
export function typeByName(name: string): string | undefined {
  return typeNamed(name)?.contentType;
}

/** Whether the first bytes of a file are of the type that its name says. */
export function isWhatItsNameSays(name: string, head: Buffer): boolean {
  return typeNamed(name)?.matches(head) ?? false;
}

function typeNamed(name: string): MediaType | undefined {
  const extension = extname(name).toLowerCase();
  return MEDIA_TYPES.find(({ extensions }) => extensions.includes(extension));
}

/** The first box of an AVIF file is `ftyp`: four bytes of length, its name, and the brands that the file is of. */
function isAvif(head: Buffer): boolean {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)));
  return /^(?:.{4})*?avi[fs]/s.test(brands);
}
