/**
 * A link as it may be followed: itself when it stays within the origin of the base; with `https` in place of
 * `http` when that alone differs, as behind a proxy that ends TLS; undefined when it leads elsewhere.
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
