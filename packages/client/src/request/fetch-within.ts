import ky from 'ky';
import { RedirectError } from '../errors/request-errors.ts';
import { repairedUrl } from './repaired-url.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/** Fetches an address with additional headers. */
export type FetchWithin = (
  url: string,
  headers: Record<string, string> | undefined,
  signal: AbortSignal,
) => Promise<Response>;

/**
 * Creates a fetch that follows redirects within the origin of the address. It throws a RedirectError for redirects to another
 * origin, and after five redirects.
 *
 * @param common headers of every request
 */
export function createFetchWithin(common: Record<string, string>): FetchWithin {
  // Retries, timeouts and statuses are handled by the caller.
  const http = ky.create({
    headers: common,
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
  });
  return async (url, headers, signal) => {
    // The signal goes to fetch only: ky would create two more signals for each request.
    const withSignal = (request: Parameters<typeof fetch>[0]) => fetch(request, { signal });
    const options = headers ? { headers, fetch: withSignal } : { fetch: withSignal };
    let current = url;
    for (let hops = 0; ; hops += 1) {
      const response = await http(current, options);
      if (response.type === 'opaqueredirect') throw new RedirectError(url, 'another address');
      if (!REDIRECTS.has(response.status)) return response;
      await response.body?.cancel();
      const location = response.headers.get('location') ?? '';
      const target = URL.parse(location, current)?.href;
      const repaired = target && repairedUrl(target, url);
      if (!repaired || hops === MOST_REDIRECTS) throw new RedirectError(url, location);
      current = repaired;
    }
  };
}
