import { isLanguage, LANGUAGES, type Language } from '@archiefkast/types';
import Negotiator from 'negotiator';
import type { Caches } from '../../cache.ts';

/**
 * How a body can be sent, most wanted first where the client does not mind. Measured on the levels below: zstd
 * makes a page of persons as small as brotli in less time; a page of events, in which places repeat over long
 * distances, it makes as small in a quarter of the time, where gzip takes ten times as long for six times the size.
 */
export const CODINGS = ['zstd', 'br', 'gzip', 'identity'] as const;

/** A content coding (RFC 9110, section 8.4). */
export type Coding = (typeof CODINGS)[number];

/** Bytes that the reading of a header takes beside the header. */
const READING_BYTES = 128;

/**
 * Makes what chooses the coding of an answer by the weights of `Accept-Encoding`. A client that takes none of the
 * codings is sent the body as it is, as RFC 9110 has it.
 */
export function createCodingChoice(caches: Caches): (acceptEncoding: string | undefined) => Coding {
  // Browsers send a handful of different ones.
  const read = caches.open<Coding>('codings', (_coding, header) => header.length + READING_BYTES);
  return (header) => {
    if (!header) return 'identity';
    return read.get(header, () => chooseCoding(header));
  };
}

function chooseCoding(header: string): Coding {
  const known = codingsOf(header);
  const [best] = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(known, {
    preferred: known,
  });
  return CODINGS.find((each) => each === best) ?? 'identity';
}

/** What a client can be sent: one that takes any coding (`*`) need not know those that it does not name, but gzip. */
function codingsOf(header: string): Coding[] {
  const named = header.toLowerCase().split(/[\s,;]+/);
  return CODINGS.filter((coding) => coding === 'gzip' || coding === 'identity' || named.includes(coding));
}

/** The language of a path: its first segment, or English where that is none. */
export function languageOfPath(path: string): Language {
  const [, segment = ''] = path.split('/', 2);
  return isLanguage(segment) ? segment : 'en';
}

/** The language of the archive that a reader likes best (RFC 9110, section 12.5.4); English where none is named. */
export function preferredLanguage(acceptLanguage: string): Language {
  const named = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...LANGUAGES]);
  return LANGUAGES.find((language) => language === named) ?? 'en';
}
