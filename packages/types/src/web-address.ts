/** A host as `URL` gives it: a name (of other letters, in its ASCII form) or an IPv4 address, or an IPv6 address. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/**
 * Reads an absolute web address: `http://` or `https://`, a host, and no white space. This is the one reading of
 * addresses: a bundle is checked by it, and pages show what it lets through.
 *
 * @returns undefined for anything else: `http:foo.jpg`, `https:///foo.jpg`, `http://host:port/`, and hosts of other
 *   characters, such as `https://a;b/` and `https://*`
 */
export function parseWebAddress(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s/\\?#]\S*$/.test(text)) return undefined;
  const url = URL.parse(text);
  return url && HOST.test(url.hostname) ? url : undefined;
}

/** Whether a text is an absolute web address, as `parseWebAddress` reads it. */
export function isWebAddress(text: string): boolean {
  return parseWebAddress(text) !== undefined;
}
