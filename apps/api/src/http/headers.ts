import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { LANGUAGES, type Language } from '@archiefkast/types';
import type { ParameterizedContext } from 'koa';
import Negotiator from 'negotiator';
import type { OpenEdition } from '../edition/open-editions.ts';
import type { Edition } from '../storage/edition.ts';
import type { NegotiatedRequest, Redirect, Route } from './route.ts';

/** The policy for data: if a browser shows it as a page, nothing in it runs. */
const DATA_POLICY = "default-src 'none';frame-ancestors 'none'";

/** The policy for media files: opened on their own, they are sandboxed. */
const MEDIA_POLICY = "default-src 'none';sandbox;frame-ancestors 'none'";

/** Where the pictures of pages may be. */
const PICTURES = "img-src 'self' https: http: data:";

/**
 * The content security policy by content type. Pages use files of this server, images of any web server, and the API; data
 * may load nothing. What pages of others may frame has no script. The policy depends only on BASE_URL, not on the contents of a bundle.
 */
export function createContentSecurityPolicy(
  baseUrl: string,
): (contentType: string, isFramed?: boolean) => string {
  const { origin } = new URL(baseUrl);
  const framedPolicy = [
    "default-src 'none'",
    // A frame with a sandbox need not have the origin that is meant by 'self'.
    `style-src 'self' ${origin}`,
    PICTURES,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join(';');
  const pagePolicy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    PICTURES,
    "font-src 'self'",
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');
  return (contentType, isFramed) => {
    if (/^(?:image\/|application\/pdf)/.test(contentType)) return MEDIA_POLICY;
    if (!contentType.startsWith('text/html')) return DATA_POLICY;
    return isFramed ? framedPolicy : pagePolicy;
  };
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The methods of endpoints whose parameters may also be sent as a form. */
const FORM_METHODS = `${ALLOWED_METHODS}, POST`;

/** The methods of endpoints to which JSON is sent. */
const JSON_METHODS = 'POST, OPTIONS';

/** The methods of a route. */
export function methodsOf({ takesForms, takesJson }: Pick<Route, 'takesForms' | 'takesJson'>): string {
  if (takesJson) return JSON_METHODS;
  return takesForms ? FORM_METHODS : ALLOWED_METHODS;
}

export type Headers = Readonly<Record<string, string>>;

/** Lifetime of a preflight response, in seconds: a day. */
const PREFLIGHT_SECONDS = '86400';

/**
 * Headers of every response, including errors: the API is read-only, and open to any origin (CORS).
 * `Strict-Transport-Security` is left to the server that terminates TLS, because it applies to the whole host.
 */
const COMMON_HEADERS: Headers = {
  Allow: ALLOWED_METHODS,
  Vary: 'Accept, Accept-Encoding',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, Last-Modified, Archive-Edition, X-Request-Id, Content-Range, Accept-Ranges, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const UNFRAMED_HEADERS: Headers = { ...COMMON_HEADERS, 'x-frame-options': 'DENY' };

/** The headers of every response. Only what is framed may be shown in pages of others. */
export function commonHeaders(isFramed = false): Headers {
  return isFramed ? COMMON_HEADERS : UNFRAMED_HEADERS;
}

/** Headers of what differs by the language of the reader too, in place of the common ones. */
export const VARY_BY_LANGUAGE: Headers = { Vary: `${COMMON_HEADERS['Vary']}, Accept-Language` };

/** Headers of what is the same for every `Accept`, in place of the common ones. */
export const UNNEGOTIATED_HEADERS: Headers = { Vary: 'Accept-Encoding' };

/**
 * Headers of responses from a held edition: only a client with its key may see it, so they are not cached or indexed.
 * `Referrer-Policy`, on every response, keeps the URL from other sites.
 */
export const PREVIEW_HEADERS: Headers = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
};

/** Whether rights on text mining are reserved, as the TDM Reservation Protocol has it: 1 or 0; undefined if the archive says nothing. */
export function reservationOf(archive: Edition['archive']): 0 | 1 | undefined {
  const mining = archive?.reuse?.mining;
  if (mining === 'no') return 1;
  return mining === 'yes' ? 0 : undefined;
}

/** For pages of an earlier edition, which a parameter names: crawlers shall take the served one. Of the API, robots.txt keeps them. */
export const EARLIER_HEADERS: Headers = { 'X-Robots-Tag': 'noindex, nofollow' };

/** For what pages of others frame: crawlers shall take the page of the record. */
export const FRAMED_HEADERS: Headers = { 'X-Robots-Tag': 'noindex' };

/** Headers with the language and the edition of a response, and what the archive says of text mining. */
export function originHeaders(language: Language, open: OpenEdition | undefined): Record<string, string> {
  const reservation = reservationOf(open?.edition.archive);
  return {
    'Content-Language': language,
    ...(open && { 'Archive-Edition': String(open.edition.id) }),
    ...(reservation !== undefined && { 'tdm-reservation': String(reservation) }),
  };
}

/** The language of a path: its first segment, English by default. */
export function languageOfPath(path: string): Language {
  const [, segment = ''] = path.split('/', 2);
  return LANGUAGES.find((language) => language === segment) ?? 'en';
}

/** The preferred language of a reader (RFC 9110, section 12.5.4); English by default. */
export function preferredLanguage(context: Pick<ParameterizedContext, 'acceptsLanguages'>): Language {
  const named = context.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === named) ?? 'en';
}

/** The parameter of a type that names a profile of it (RFC 6906): a client reads the type without it too. */
const PROFILE = /;\s*profile\s*=\s*(?:"[^"]*"|[^\s;,]*)/gi;

/**
 * Where a client is led that names linked data in its `Accept`, and prefers it to HTML.
 *
 * @param name the address of the linked data without its ending, relative to the request
 */
export function linkedDataOf({ accept, parameters }: NegotiatedRequest, name: string): Redirect | undefined {
  if (!LINKED_DATA.test(accept)) return undefined;
  const forms = Object.entries(LINKED_FORMS);
  const types = ['text/html', ...forms.map(([, { contentType }]) => contentType)];
  const [chosen] = new Negotiator({ headers: { accept: accept.replace(PROFILE, '') } }).mediaTypes(types);
  const [form] = forms.find(([, { contentType }]) => contentType === chosen) ?? [];
  return form === undefined
    ? undefined
    : { location: `${name}.${form}${queryOfEdition(parameters)}`, status: 303 };
}

/** The query of a link that stays in the edition that a request names: empty if it names none. */
export function queryOfEdition(parameters: NegotiatedRequest['parameters']): string {
  const edition = parameters.get('edition');
  return edition === null ? '' : `?edition=${edition}`;
}

/** The types of linked data, and their ranges: a client that names none of them is not led from a page. */
export const LINKED_DATA = new RegExp(
  Object.values(LINKED_FORMS)
    .map(({ contentType }) => contentType.replace(/;.*/, '').replace('+', '\\+'))
    .concat('application/\\*', 'text/\\*')
    .join('|'),
  'i',
);

/** Whether pages of others may frame the response to a request: its route says so. */
export function isFramed({ state }: Pick<ParameterizedContext, 'state'>): boolean {
  return state['isFramed'] === true;
}

/** Sets the headers of every response and of preflights, except those that a handler has set. */
export function setCommonHeaders(context: ParameterizedContext, open: OpenEdition | undefined): void {
  const requested = context.get('Access-Control-Request-Headers');
  const common: Headers = {
    ...commonHeaders(isFramed(context)),
    ...originHeaders(languageOfPath(context.path), open),
    'X-Request-Id': context.get('X-Request-Id'),
    ...(context.method === 'OPTIONS' && {
      'Access-Control-Allow-Methods': ALLOWED_METHODS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      ...(requested && { 'Access-Control-Allow-Headers': requested }),
    }),
  };
  for (const [name, value] of Object.entries(common))
    if (!context.res.hasHeader(name)) context.set(name, value);
}

/**
 * The path and query of a request target (RFC 9112, section 3.2): an absolute one, as sent to proxies, loses its scheme and
 * host, which are not used. Undefined for others.
 */
export function readTarget(url: string): string | undefined {
  const [, rest] = url.startsWith('/') ? ['', url] : (/^https?:\/\/[^/?#]+(.*)$/i.exec(url) ?? []);
  if (rest === undefined || !URL.canParse(url, 'http://archive')) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A target whose path has no doubled slash. */
export function withSingleSlashes(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.replace(/\/{2,}/g, '/') + target.slice(path.length);
}

/** The id of a request in the log and the response: that of the client if valid, else a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The `Link` header (RFC 8288): related URLs by relation, and the OpenAPI document. */
export function linkHeader(links: Readonly<Record<string, string>>, baseUrl: string): string {
  const all = { ...links, 'service-desc': `${baseUrl}/openapi.json` };
  return Object.entries(all)
    .map(([relation, url]) => `<${url}>; rel="${relation}"`)
    .join(', ');
}

export interface Validators {
  /** Strong: equal tags mean equal bytes. */
  etag: string;
  /** HTTP-date; undefined if unknown. */
  lastModified: string | undefined;
}

/** Whether a `Host` header is one host with an optional port, empty, or absent, as in HTTP/1.0 (RFC 9112, section 3.2). */
export function isHost(host: string | undefined): boolean {
  return host === undefined || /^(?:\[[\da-f:.]+\]|[\w.~%-]*)(?::\d{0,5})?$/i.test(host);
}

/** The time of an HTTP-date in any of its three formats (RFC 9110, section 5.6.7); NaN if it is not one. */
function httpDate(text = ''): number {
  // asctime has no zone.
  if (/^\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/.test(text)) return Date.parse(`${text} GMT`);
  return /^\w{3,9}, \d{2}[ -]\w{3}[ -]\d{2,4} [\d:]{8} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Whether a list of tags contains the ETag. @param isWeak whether a weakened tag is equal, as after a cache */
export function namesTag(tags: string, etag: string, isWeak = true): boolean {
  if (!tags.includes(etag)) return false;
  return [...tags.matchAll(/(?:^|[\s,])(W\/)?("[^"]*")(?=[\s,]|$)/g)].some(
    ([, weak, tag]) => tag === etag && (isWeak || !weak),
  );
}

/**
 * The status of a conditional request for an existing resource: 412, 304 or 200, in the order of RFC 9110, section 13.2.2.
 * `If-Modified-Since` is compared for equality: after a rollback, the served edition is older than the one before.
 */
export function conditionalStatus(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: Validators,
): 200 | 304 | 412 {
  const [match, noneMatch] = [headers['if-match']?.trim(), headers['if-none-match']?.trim()];
  const { 'if-unmodified-since': unmodifiedSince, 'if-modified-since': modifiedSince } = headers;
  if (match !== undefined && match !== '*' && !namesTag(match, etag, false)) return 412;
  if (match === undefined && unmodifiedSince && httpDate(lastModified) > httpDate(unmodifiedSince))
    return 412;
  if (noneMatch !== undefined) return noneMatch === '*' || namesTag(noneMatch, etag) ? 304 : 200;
  // Dates are not parsed without need: most requests have no condition.
  return modifiedSince && httpDate(modifiedSince) === httpDate(lastModified) ? 304 : 200;
}

/** Whether `If-Range` allows a range of the current version: with its strong tag, or with its date (RFC 9110, section 13.1.5). */
export function isRangeAllowed(ifRange: string, { etag, lastModified }: Validators): boolean {
  return ifRange === '' || ifRange === etag || httpDate(ifRange) === httpDate(lastModified);
}
