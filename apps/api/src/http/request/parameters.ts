import { isUtf8 } from 'node:buffer';
import {
  BRIEF_FIELDS,
  FIELD_SHAPES,
  hasField,
  isKind,
  isUuid,
  KINDS,
  type Kind,
  kindOfCollection,
  type Language,
  mergedShape,
  selectedNames,
  selectFields,
} from '@archiefkast/types';
import { type Selections, selectionsOf } from '../../edition/edition-reader.ts';
import { nearestName } from '../../nearest-name.ts';
import { type Box, FACETS, type Order } from '../../search/index.ts';
import type { ParameterName } from '../contract/route.ts';
import { noEdition } from '../problems/common-problems.ts';
import { type Bilingual, didYouMean, inBoth, Problem } from '../problems/problems.ts';

/** Normalizes the value of a parameter; empty if it equals the default. */
const NORMALIZERS: Readonly<Partial<Record<ParameterName, (text: string) => string>>> = {
  bbox: readBbox,
  edition: readEdition,
  fields: readFields,
  format: readFormat,
  kind: readKind,
  of: readFacets,
  page: readPage,
  q: (text) => text.trim(),
  sort: readSort,
};

/**
 * The known parameters of a request, normalized and in alphabetical order. Unknown, empty and default ones are dropped;
 * of a repeated one the last counts.
 *
 * @throws Problem for an invalid value
 */
export function readParameters(known: readonly ParameterName[], given: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams();
  for (const name of known.toSorted()) {
    const text = given.getAll(name).at(-1);
    if (!text) continue;
    const value = NORMALIZERS[name]?.(text) ?? text;
    if (value) read.set(name, value);
  }
  return read;
}

/** Names of the page size and offset in other APIs. */
const PAGE_SIZE_NAMES = new Set(
  'limit size page_size pagesize per_page perpage count rows offset start'.split(' '),
);

const INSTEAD_OF_PAGE_SIZE: Bilingual = {
  en: 'no page size: every page has ten records. Follow next for more, select fewer fields with fields, or download all records of a kind as a dump',
  nl: 'geen paginagrootte: elke pagina telt tien records. Volg next voor meer, vraag met fields minder velden op, of download alle records van een soort als één bestand',
};

/** @throws Problem if the value of a known parameter is not percent-encoded UTF-8 */
export function refuseInvalidUtf8(known: readonly ParameterName[], query: string): void {
  for (const pair of query.split('&')) {
    const name = pair.slice(0, pair.indexOf('='));
    if (!(known as readonly string[]).includes(name)) continue;
    const broken = pair.match(/(?:%[0-9a-f]{2})+/gi)?.find((bytes) => !isUtf8(toBytes(bytes)));
    if (broken === undefined) continue;
    throw new Problem(
      'bad-request',
      {
        en: `Invalid UTF-8 in parameter "${name}": ${broken}.`,
        nl: `Ongeldige UTF-8 in parameter "${name}": ${broken}.`,
      },
      {
        en: 'percent-encoded UTF-8, such as caf%C3%A9',
        nl: 'UTF-8 met procentcodering, zoals caf%C3%A9',
      },
    );
  }
}

function toBytes(encoded: string): Buffer {
  return Buffer.from(encoded.replaceAll('%', ''), 'hex');
}

/** @throws Problem if the request has an unknown parameter */
export function refuseUnknown(known: readonly ParameterName[], given: URLSearchParams): void {
  const unknown = [...given.keys()].find((name) => !(known as readonly string[]).includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const { en, nl } = didYouMean(nearest);
  throw new Problem(
    'unknown-parameter',
    {
      en: `Unknown parameter "${unknown}"${en}`,
      nl: `Onbekende parameter "${unknown}"${nl}`,
    },
    PAGE_SIZE_NAMES.has(unknown.toLowerCase()) ? INSTEAD_OF_PAGE_SIZE : inBoth(known.join(', ')),
    { parameters: known, ...(nearest !== undefined && { nearest }) },
  );
}

/** Whether a request wants strict handling, so that unknown parameters are errors (RFC 7240, section 4.4). */
export function isStrict(prefer: string): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(prefer);
}

/**
 * The canonical URL of a response, with its parameters as `readParameters` returns them, percent-encoded. It is used in
 * links, ETags and cache keys.
 */
export function canonicalUrl(url: string, parameters: Iterable<[string, string]>): string {
  const pairs = [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return pairs.length > 0 ? `${url}?${pairs.join('&')}` : url;
}

/** The number of the requested page, 1 by default. */
export function pageOf(parameters: URLSearchParams): number {
  return Number(parameters.get('page') ?? 1);
}

function readPage(text: string): string {
  const page = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (page < 1) throw invalidPage();
  return page === 1 ? '' : String(page);
}

/** Page out of range; `last` is the last page, if known. */
export function invalidPage(last?: number): Problem {
  const expected =
    last === undefined
      ? { en: 'a whole number of at least 1', nl: 'een geheel getal vanaf 1' }
      : { en: `a whole number from 1 to ${last}`, nl: `een geheel getal van 1 tot en met ${last}` };
  return new Problem('invalid-page', { en: 'Invalid page.', nl: 'Ongeldige pagina.' }, expected);
}

function readFormat(text: string): string {
  if (text === 'api') return text;
  throw new Problem(
    'invalid-format',
    { en: `Unknown format "${text}".`, nl: `Onbekend formaat "${text}".` },
    { en: 'format=api, or no format', nl: 'format=api, of geen format' },
  );
}

function readKind(text: string): string {
  const kind = isKind(text) ? text : kindOfCollection(text);
  if (kind) return kind;
  throw new Problem(
    'invalid-suggestion',
    { en: `Unknown kind "${text}".`, nl: `Onbekende soort "${text}".` },
    { en: `one of ${KINDS.join(', ')}`, nl: `een van ${KINDS.join(', ')}` },
    { kinds: KINDS },
  );
}

/** The valid values of `sort`; the first is the default. */
export const SORTS = ['relevance', 'name', 'date', '-date', 'id'] as const;

function readSort(text: string): string {
  const sort = SORTS.find((each) => each === text);
  if (sort !== undefined) return sort === SORTS[0] ? '' : sort;
  throw new Problem(
    'invalid-sort',
    { en: `Unknown sort order "${text}".`, nl: `Onbekende sorteervolgorde "${text}".` },
    { en: `one of ${SORTS.join(', ')}`, nl: `een van ${SORTS.join(', ')}` },
    { orders: SORTS },
  );
}

/** Normalizes a list of facets: in a fixed order, without duplicates; empty for all of them, the default. */
function readFacets(text: string): string {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(FACETS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new Problem(
      'invalid-facet',
      { en: `Unknown facet "${unknown}".`, nl: `Onbekend facet "${unknown}".` },
      {
        en: `one or more of ${FACETS.join(', ')}, separated by commas`,
        nl: `een of meer van ${FACETS.join(', ')}, gescheiden door komma's`,
      },
      { facets: FACETS },
    );
  }
  const of = FACETS.filter((facet) => names.includes(facet));
  return of.length === FACETS.length ? '' : of.join(',');
}

function readEdition(text: string): string {
  if (isEdition(text)) return text;
  if (isUuid(text)) return text.toLowerCase();
  throw noEdition(text, {
    en: 'the number of an edition, as in the header Archive-Edition, or its key',
    nl: 'het nummer van een editie, zoals in de header Archive-Edition, of haar sleutel',
  });
}

/** Whether a text is a valid edition number. */
export function isEdition(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/** Selects the short set of fields of each kind. */
const BRIEF = 'brief';

/** The fields of all kinds. */
const EVERY_FIELD = mergedShape();

/**
 * Normalizes a list of fields: `brief` first, then in the order of the contract, without duplicates and without fields
 * inside others.
 *
 * @throws Problem for a field that no kind has
 */
function readFields(text: string): string {
  const names = text.split(',').map((name) => name.trim());
  const others = names.filter((name) => name !== BRIEF);
  const unknown = others.find((name) => !hasField(EVERY_FIELD, name));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(EVERY_FIELD));
  const brief = others.length < names.length ? [BRIEF] : [];
  return [...brief, ...selectedNames(selectFields(EVERY_FIELD, others))].join(',');
}

/**
 * The requested fields of each kind; undefined for all fields.
 *
 * @param kinds the kinds of records that the response can contain
 * @throws Problem for a field that none of these has
 */
export function selectionsAsked(parameters: URLSearchParams, kinds: readonly Kind[]): Selections | undefined {
  const text = parameters.get('fields');
  if (text === null) return undefined;
  const names = text.split(',').filter((name) => name !== BRIEF);
  const isBrief = names.join(',') !== text;
  const unknown = names.find((name) => !kinds.some((kind) => hasField(FIELD_SHAPES[kind], name)));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(mergedShape(kinds)));
  return selectionsOf((kind) => [...(isBrief ? BRIEF_FIELDS[kind] : []), ...names]);
}

function noSuchField(name: string, fields: readonly string[]): Problem {
  const nearest = nearestName(name, fields);
  const { en, nl } = didYouMean(nearest);
  const list = fields.join(', ');
  return new Problem(
    'invalid-fields',
    { en: `Unknown field "${name}"${en}`, nl: `Onbekend veld "${name}"${nl}` },
    {
      en: `fields=${BRIEF}, one or more of ${list}, or both, separated by commas; fields of embedded records such as location.name`,
      nl: `fields=${BRIEF}, een of meer van ${list}, of beide, gescheiden door komma's; velden van ingebedde records zoals location.name`,
    },
    { fields, ...(nearest !== undefined && { nearest }) },
  );
}

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/**
 * Normalizes a bounding box: `west,south,east,north`, each number in its shortest notation.
 *
 * @throws Problem if it is invalid, or `south` is greater than `north`
 */
function readBbox(text: string): string {
  const parts = text.split(',').map((part) => part.trim());
  const numbers = parts.filter((part) => DEGREES.test(part)).map(Number);
  const [west = 0, south = 0, east = 0, north = 0] = numbers;
  const areDegrees =
    Math.max(Math.abs(west), Math.abs(east)) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (parts.length !== 4 || numbers.length !== 4 || !areDegrees || south > north) {
    throw new Problem(
      'invalid-bbox',
      { en: `Invalid bounding box "${text}".`, nl: `Ongeldige rechthoek "${text}".` },
      {
        en: 'bbox=west,south,east,north in degrees, such as 4.8,52.3,5.0,52.4',
        nl: 'bbox=west,zuid,oost,noord in graden, zoals 4.8,52.3,5.0,52.4',
      },
    );
  }
  return numbers.map((number) => number + 0).join(',');
}

/** Parses a normalized bounding box. */
export function boxOf(bbox: string): Box {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
  return { west, south, east, north };
}

/**
 * The requested order; names are sorted in the language of the request.
 *
 * @returns undefined for order by score
 */
export function orderOf(parameters: URLSearchParams, language: Language): Order | undefined {
  const sort = SORTS.find((each) => each === parameters.get('sort'));
  if (sort === undefined || sort === 'relevance') return undefined;
  return sort === 'name' ? `name_${language}` : sort;
}
