import ky from 'ky';
import { RedirectError } from '../errors/request-errors.ts';
import { repairedUrl } from './repaired-url.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/** Fetches an address; the headers are added to those that every request has. */
export type FetchWithin = (
  url: string,
  headers: Record<string, string> | undefined,
  signal: AbortSignal,
) => Promise<Response>;

/**
 * Makes a fetch that follows redirects as long as they stay within the origin of the address.
 * It throws a RedirectError when a redirect leads elsewhere, or there are more than five.
 *
 * @param common the headers that every request has
 */
export function createFetchWithin(common: Record<string, string>): FetchWithin {
  // Retries, time-outs and statuses are the business of the unit around this one.
  const http = ky.create({
    headers: common,
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
  });
  return async (url, headers, signal) => {
    // Only the fetch has to know the signal: told of it too, ky makes two more of it for each request.
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
