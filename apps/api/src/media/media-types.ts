import { extname } from 'node:path';

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
