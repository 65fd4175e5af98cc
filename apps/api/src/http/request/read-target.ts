import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '../problems/problems.ts';

/**
 * Brings the target of a request into the form `/path?query` (RFC 9112, section 3.2): an absolute one, as proxies are
 * sent, loses scheme and host, of which nothing is made.
 *
 * @returns what is wrong: the target is none, or a request of HTTP/1.1 has no header Host
 */
export function readTarget(request: IncomingMessage): Problem | undefined {
  const { url = '', method, headers, httpVersion } = request;
  if (headers.host === undefined && httpVersion === '1.1') {
    return new Problem('bad-request', {
      en: 'The request has no header Host.',
      nl: 'Het verzoek heeft geen header Host.',
    });
  }
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(url) ?? [];
  if (rest === undefined || !URL.canParse(url)) {
    return new Problem(
      'bad-request',
      { en: 'The target of the request is no address.', nl: 'Het doel van het verzoek is geen adres.' },
      { en: 'a path such as /en/api/persons', nl: 'een pad als /nl/api/persons' },
    );
  }
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}

/** Longest address that is read, in characters: a `q` of 8 kB, percent-encoded, is still told what is wrong with it. */
const LONGEST_URL = 32_768;

/** Refuses an address that is longer than any that leads somewhere. */
export const refuseLongUrl: Middleware = async (context, next) => {
  const { length } = context.req.url ?? '';
  if (length <= LONGEST_URL) return next();
  throw new Problem(
    'url-too-long',
    { en: `The URL has ${length} characters.`, nl: `De URL heeft ${length} tekens.` },
    { en: `at most ${LONGEST_URL} characters`, nl: `hoogstens ${LONGEST_URL} tekens` },
  );
};
