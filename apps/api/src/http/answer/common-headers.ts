import { randomUUID } from 'node:crypto';
import type { Language } from '@archiefkast/types';
import type { Middleware } from 'koa';
import type { EditionsInUse, OpenEdition } from '../../read/follow-editions.ts';
import { languageOfPath } from '../request/language-of-path.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** The methods that every endpoint answers. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** What a browser may keep of a preflight answer, in seconds: a day. */
const PREFLIGHT_SECONDS = '86400';

/** Headers of every answer, errors included: the service is read-only, and open to pages of any origin. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS,
  Vary: 'Accept, Accept-Encoding',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, Last-Modified, Archive-Edition, X-Request-Id, Content-Range, Accept-Ranges, Retry-After',
  ...SECURITY_HEADERS,
};

/**
 * Headers of answers from an edition that has never been served: they are for who has its key, and for nobody after
 * them. That no page gives its address away to another site (`Referrer-Policy`) holds for every answer.
 */
export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
};

/** Headers that tell in which language an answer is, and from which edition. */
export function originHeaders(language: Language, open: OpenEdition | undefined): Record<string, string> {
  return {
    'Content-Language': language,
    ...(open && { 'Archive-Edition': String(open.edition.id) }),
  };
}

/** Sets the headers of every answer, and those of a preflight; what answers knows better may set them anew. */
export function commonHeaders(editions: EditionsInUse): Middleware {
  return async (context, next) => {
    context.set({
      ...COMMON_HEADERS,
      ...originHeaders(languageOfPath(context.path), editions.current()),
      'X-Request-Id': context.get('X-Request-Id'),
    });
    if (context.method === 'OPTIONS') {
      context.set({
        'Access-Control-Allow-Methods': ALLOWED_METHODS,
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      });
      const asked = context.get('Access-Control-Request-Headers');
      if (asked) context.set('Access-Control-Allow-Headers', asked);
    }
    await next();
  };
}

/** The number under which a request is logged and answered: the one it came with, if that is sane, or a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}
