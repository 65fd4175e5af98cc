/** A host as `URL` returns it: a name (punycode for non-ASCII letters), an IPv4 address or an IPv6 address. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/**
 * Parses an absolute web address: `http://` or `https://`, a host, and no white space. Bundles are checked with it, and
 * pages link only to addresses that it accepts.
 *
 * @returns undefined for any other text: `http:foo.jpg`, `https:///foo.jpg`, `http://host:port/`, and hosts of other
 *   characters, such as `https://a;b/` and `https://*`
 */
export function parseWebAddress(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s/\\?#]\S*$/.test(text)) return undefined;
  const url = URL.parse(text);
  return url && HOST.test(url.hostname) ? url : undefined;
}

/** Whether a text is a valid absolute web address. */
export function isWebAddress(text: string): boolean {
  return parseWebAddress(text) !== undefined;
}
