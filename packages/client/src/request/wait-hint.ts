/** Numbers above this are read as Unix time in seconds, not as a delay: it is the year 2001. */
const SMALLEST_UNIX_TIME = 1_000_000_000;

/**
 * How long an answer asks to wait before the next request, in milliseconds; undefined when it does not ask.
 * Read are `Retry-After` (seconds or an HTTP date: RFC 9110, section 10.2.3) on answers that are not 2xx, and
 * on all answers that no request is left in the present window: `RateLimit` (draft-ietf-httpapi-ratelimit-headers,
 * `r=0;t=30` or `remaining=0, reset=30`), `RateLimit-Remaining` with `RateLimit-Reset`, and the same with `X-`.
 *
 * @param now milliseconds since 1970
 */
export function waitHint(status: number, headers: Headers, now: number): number | undefined {
  const retryAfter = headers.get('retry-after');
  if (status >= 300 && retryAfter !== null) {
    const wait = delay(retryAfter, now);
    if (wait !== undefined) return wait;
  }
  const [remaining, reset] = rateLimit(headers);
  if (remaining === null || reset === null || Number(remaining) > 0) return undefined;
  return delay(reset, now);
}

function rateLimit(headers: Headers): [remaining: string | null, reset: string | null] {
  const combined = headers.get('ratelimit');
  if (combined !== null) {
    return [parameter(combined, /\b(?:r|remaining)=(\d+)/), parameter(combined, /\b(?:t|reset)=(\d+)/)];
  }
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const remaining = headers.get(`${prefix}-remaining`);
    if (remaining !== null) return [remaining, headers.get(`${prefix}-reset`)];
  }
  return [null, null];
}

function parameter(header: string, pattern: RegExp): string | null {
  return pattern.exec(header)?.[1] ?? null;
}

function delay(value: string, now: number): number | undefined {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) {
    const seconds = Number(text);
    return seconds < SMALLEST_UNIX_TIME ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
