/**
 * The address to follow for a link: the link itself within the origin of the base; with `https` if only the protocol differs,
 * as behind a proxy that terminates TLS; undefined for another origin.
 *
 * @param url an absolute URL
 * @param base an absolute URL of the origin
 */
export function repairedUrl(url: string, base: string): string | undefined {
  const link = new URL(url);
  const origin = new URL(base);
  if (link.origin === origin.origin) return link.href;
  if (link.protocol !== 'http:' || origin.protocol !== 'https:' || link.hostname !== origin.hostname) {
    return undefined;
  }
  link.protocol = 'https:';
  if (link.port === '80') link.port = '';
  return link.origin === origin.origin ? link.href : undefined;
}
