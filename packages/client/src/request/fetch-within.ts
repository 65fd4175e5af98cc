import ky from 'ky';
import { RequestError } from '../errors.ts';
import { repairedUrl } from './repaired-url.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/** Retries, timeouts and statuses are handled by the caller. */
const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual' });

/**
 * Fetches an address, and follows redirects within its origin.
 *
 * @throws RequestError for a redirect to another origin, and after five redirects
 */
export async function fetchWithin(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const refuse = (location: string) => {
    const what = `the server redirects to ${location}, which is outside the base URL`;
    return new RequestError(url, 'redirect', `${what}; use that address as the base URL`);
  };
  // The signal goes to fetch only: ky would create two more signals for each request.
  const withSignal = (request: Parameters<typeof fetch>[0]) => fetch(request, { signal });
  let current = url;
  for (let hops = 0; ; hops += 1) {
    const response = await http(current, { headers, fetch: withSignal });
    if (response.type === 'opaqueredirect') throw refuse('another address');
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    const location = response.headers.get('location') ?? '';
    const target = URL.parse(location, current)?.href;
    const repaired = target && repairedUrl(target, url);
    if (!repaired || hops === MOST_REDIRECTS) throw refuse(location);
    current = repaired;
  }
}
