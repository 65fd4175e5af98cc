import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Language } from '@archiefkast/types';
import type { HelmetOptions } from 'helmet';
import helmet from 'helmet';
import type { Middleware } from 'koa';
import type { EditionsInUse, OpenEdition } from '../../edition/follow-editions.ts';
import { ALLOWED_METHODS } from '../problems/common-problems.ts';
import { languageOfPath } from '../request/accept.ts';

/**
 * What browsers are told for safety with every answer. Other sites may use the answers: that is what they are for.
 * `Strict-Transport-Security` is left to whoever terminates TLS: it holds for a whole host, of which the archive may
 * be one path.
 */
const EVERYWHERE: HelmetOptions = {
  contentSecurityPolicy: false,
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xFrameOptions: { action: 'deny' },
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** The security headers of every answer. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = whatHelmetSets(EVERYWHERE);

/** The policy for data: were it ever shown as a page, nothing in it would run. */
const DATA_POLICY = policy({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });

/** The policy for pictures and documents: opened by themselves, they can do nothing either. */
const MEDIA_POLICY = policy({ defaultSrc: ["'none'"], sandbox: [], frameAncestors: ["'none'"] });

/**
 * The content security policy of answers by their type: pages use what this server serves, show pictures of any web
 * server, and ask the archive; data does nothing. Nothing that a bundle holds is part of it: it follows BASE_URL alone.
 */
export function createContentSecurityPolicy(baseUrl: string): (contentType: string) => string {
  const pagePolicy = policy({
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'https:', 'http:', 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", new URL(baseUrl).origin],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  });
  return (contentType) => {
    if (/^(?:image\/|application\/pdf)/.test(contentType)) return MEDIA_POLICY;
    return contentType.startsWith('text/html') ? pagePolicy : DATA_POLICY;
  };
}

function policy(directives: Record<string, string[]>): string {
  const headers = whatHelmetSets({
    ...EVERYWHERE,
    contentSecurityPolicy: { useDefaults: false, directives },
  });
  return headers['content-security-policy'] ?? '';
}

/** Asks helmet once what it would send, so that an answer costs no middleware. */
function whatHelmetSets(options: HelmetOptions): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, () => {});
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

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

/** The address of the OpenAPI document. */
export function openApiUrl(baseUrl: string): string {
  return `${baseUrl}/openapi.json`;
}

/** The header `Link` (RFC 8288): how other addresses relate to this one, and where the API is described. */
export function linkHeader(links: Readonly<Record<string, string>>, baseUrl: string): string {
  const all = { ...links, 'service-desc': openApiUrl(baseUrl) };
  return Object.entries(all)
    .map(([relation, url]) => `<${url}>; rel="${relation}"`)
    .join(', ');
}
