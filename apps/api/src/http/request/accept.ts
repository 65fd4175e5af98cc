import { isLanguage, LANGUAGES, type Language } from '@archiefkast/types';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/**
 * How a body can be sent, most wanted first where the client does not mind. Measured on the levels below: zstd
 * makes a page of persons as small as brotli in less time; a page of events, in which places repeat over long
 * distances, it makes as small in a quarter of the time, where gzip takes ten times as long for six times the size.
 */
export const CODINGS = ['zstd', 'br', 'gzip', 'identity'] as const;

/** A content coding (RFC 9110, section 8.4). */
export type Coding = (typeof CODINGS)[number];

/** Different `Accept-Encoding` headers whose reading is kept: browsers send a handful. */
const READ_HEADERS = 1_000;

/**
 * Makes what chooses the coding of an answer by the weights of `Accept-Encoding`. A client that takes none of the
 * codings is sent the body as it is, as RFC 9110 has it.
 */
export function createCodingChoice(): (acceptEncoding: string | undefined) => Coding {
  const read = new LRUCache<string, Coding>({ max: READ_HEADERS });
  return (header) => {
    if (!header) return 'identity';
    const chosen = read.get(header);
    if (chosen) return chosen;
    const known = codingsOf(header);
    const [best] = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(known, {
      preferred: known,
    });
    const coding = CODINGS.find((each) => each === best) ?? 'identity';
    read.set(header, coding);
    return coding;
  };
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
