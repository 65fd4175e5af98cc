import { isLanguage, LANGUAGES, type Language } from '@archiefkast/types';
import Negotiator from 'negotiator';
import type { Caches } from '../cache.ts';

/**
 * The supported content codings, in order of preference. As measured: zstd compresses a page of persons to the size of
 * brotli in less time, and a page of events, in which locations repeat over long distances, in a quarter of the time;
 * gzip takes ten times as long there, for six times the size.
 */
export const CODINGS = ['zstd', 'br', 'gzip', 'identity'] as const;

/** A content coding (RFC 9110, section 8.4). */
export type Coding = (typeof CODINGS)[number];

/** Memory of a cached choice, in bytes, besides the header. */
const READING_BYTES = 128;

/**
 * Returns a function that selects the coding of a response by the weights of `Accept-Encoding`: identity if the client
 * accepts none of the codings (RFC 9110, section 12.5.3).
 */
export function createCodingChoice(caches: Caches): (acceptEncoding: string | undefined) => Coding {
  // Clients send only a few distinct headers.
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

/** The codings that may be sent: those that the client names, and gzip, which every client that sends `*` supports. */
function codingsOf(header: string): Coding[] {
  const named = header.toLowerCase().split(/[\s,;]+/);
  return CODINGS.filter((coding) => coding === 'gzip' || coding === 'identity' || named.includes(coding));
}

/** The language of a path: its first segment, English by default. */
export function languageOfPath(path: string): Language {
  const [, segment = ''] = path.split('/', 2);
  return isLanguage(segment) ? segment : 'en';
}

/** The preferred language of a reader (RFC 9110, section 12.5.4); English by default. */
export function preferredLanguage(acceptLanguage: string): Language {
  const named = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...LANGUAGES]);
  return LANGUAGES.find((language) => language === named) ?? 'en';
}
