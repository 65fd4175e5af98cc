import { COLLECTIONS, KINDS, type Kind, kindOfCollection, type Language, PAGE_SEGMENTS } from './kinds.ts';

/** The pattern of a UUID, unanchored, as source text for a regular expression. */
export const UUID_PATTERN = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const UUID_ONLY = new RegExp(`^${UUID_PATTERN}$`);
const KIND_BEFORE_UUID = new RegExp(`^https?://.*/([a-z]+)/${UUID_PATTERN}/?(?:\\?[^#]*)?$`);
const UUID_AT_THE_END = new RegExp(`^https?://.*/(${UUID_PATTERN})/?(?:\\?[^#]*)?$`);

/** Whether `value` is a UUID as RFC 9562 writes it (section 4), in upper or lower case. */
export function isUuid(value: string): boolean {
  return UUID_ONLY.test(value);
}

/**
 * The address of a record's public page: `{base_url}/{lang}/personen/<uuid>/` for a person.
 *
 * @param baseUrl the archive's base URL, without a slash at its end
 */
export function recordPage(baseUrl: string, language: Language, kind: Kind, uuid: string): string {
  return `${baseUrl}/${language}/${PAGE_SEGMENTS[kind]}/${uuid}/`;
}

/** The address of a list: `{base_url}/{lang}/api/persons` for persons. */
export function listUrl(baseUrl: string, language: Language, kind: Kind): string {
  return `${baseUrl}/${language}/api/${COLLECTIONS[kind]}`;
}

/** The address of search: `{base_url}/{lang}/api/search`. */
export function searchUrl(baseUrl: string, language: Language): string {
  return `${baseUrl}/${language}/api/search`;
}

/** An API reference, the URL by which a record refers to another: `{base_url}/{lang}/api/persons/<uuid>`. */
export function apiReference(baseUrl: string, language: Language, kind: Kind, uuid: string): string {
  return `${listUrl(baseUrl, language, kind)}/${uuid}`;
}

const API_REFERENCE = new RegExp(
  `^https?://.+/(?:en|nl)/api/(persons|subjects|locations|events)/(${UUID_PATTERN})(?:\\?format=api)?$`,
);

/** The kind and uuid of an API reference; undefined if `url` is not one. */
export function parseApiReference(url: string): { kind: Kind; uuid: string } | undefined {
  const [, collection = '', uuid = ''] = API_REFERENCE.exec(url) ?? [];
  const kind = kindOfCollection(collection);
  return kind && { kind, uuid };
}

/** The pattern of the API references to one kind, anchored, as source text for a regular expression. */
export function apiReferencePattern(kind: Kind): string {
  return `^https?://.+/(en|nl)/api/${COLLECTIONS[kind]}/${UUID_PATTERN}(\\?format=api)?$`;
}

/** The pattern of the public pages of one kind, anchored, as source text for a regular expression. */
export function recordPagePattern(kind: Kind): string {
  return `^https?://.+/(en|nl)/${PAGE_SEGMENTS[kind]}/${UUID_PATTERN}/$`;
}

/** Kind of the record that an API URL or public page belongs to, by the path before the uuid; else undefined. */
export function kindOfUrl(url: string): Kind | undefined {
  const [, segment = ''] = KIND_BEFORE_UUID.exec(url) ?? [];
  return KINDS.find((kind) => COLLECTIONS[kind] === segment || PAGE_SEGMENTS[kind] === segment);
}

/**
 * The uuid in a reference, in lower case: the reference is a uuid or an absolute URL that ends in one. Undefined if it
 * is neither.
 */
export function uuidOfReference(reference: string): string | undefined {
  if (isUuid(reference)) return reference.toLowerCase();
  return UUID_AT_THE_END.exec(reference)?.[1]?.toLowerCase();
}

/** A host as `URL` returns it: a name (punycode for non-ASCII letters), an IPv4 address or an IPv6 address. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/**
 * Parses an absolute web address: `http://` or `https://`, a host, and no white space. Bundles are checked with it, and
 * pages link only to addresses that it accepts.
 *
 * @returns undefined for any other text: `http:foo.jpg`, `https:///foo.jpg`, `http://host:port/`, and hosts of other
 *   characters, such as `https://a;b/` and `https://*`
 */
export function parseWebAddress(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s/\\?#]\S*$/.test(text)) return undefined;
  const url = URL.parse(text);
  return url && HOST.test(url.hostname) ? url : undefined;
}

/** Whether a text is a valid absolute web address. */
export function isWebAddress(text: string): boolean {
  return parseWebAddress(text) !== undefined;
}
