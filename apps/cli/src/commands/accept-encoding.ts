/** What Node 24's fetch decodes. By itself it asks for gzip alone over http, which costs both sides most. */
const CODINGS = 'zstd, br, gzip';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The codings in which answers are asked for. Within one machine there is nothing to save: packing and unpacking
 * takes longer than the bytes do.
 *
 * @param baseUrl of the archive; may be no URL at all
 */
export function acceptEncoding(baseUrl: string): string {
  return LOOPBACK.test(URL.parse(baseUrl)?.hostname ?? '') ? 'identity' : CODINGS;
}
