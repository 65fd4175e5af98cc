import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '../problems/problems.ts';

/**
 * Normalizes the target of a request to `/path?query` (RFC 9112, section 3.2): an absolute one, as sent to proxies,
 * loses its scheme and host, which are not used.
 *
 * @returns a problem if the target is invalid, or a request of HTTP/1.1 has no Host header
 */
export function readTarget(request: IncomingMessage): Problem | undefined {
  const { url = '', method, headers, httpVersion } = request;
  if (headers.host === undefined && httpVersion === '1.1') {
    return new Problem('bad-request', {
      en: 'The request has no Host header.',
      nl: 'Het verzoek heeft geen Host-header.',
    });
  }
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(url) ?? [];
  if (rest === undefined || !URL.canParse(url)) {
    return new Problem(
      'bad-request',
      { en: 'Invalid request target.', nl: 'Ongeldig adres in het verzoek.' },
      { en: 'a path such as /en/api/persons', nl: 'een pad zoals /nl/api/persons' },
    );
  }
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}

/** Limit of a URL in characters: a `q` of 8 kB, percent-encoded, still gets the more specific problem `invalid-query`. */
const LONGEST_URL = 32_768;

/** Refuses a URL that exceeds the limit. */
export const refuseLongUrl: Middleware = async (context, next) => {
  const { length } = context.req.url ?? '';
  if (length <= LONGEST_URL) return next();
  throw new Problem(
    'url-too-long',
    { en: `The URL has ${length} characters.`, nl: `De URL heeft ${length} tekens.` },
    { en: `at most ${LONGEST_URL} characters`, nl: `hoogstens ${LONGEST_URL} tekens` },
  );
};
