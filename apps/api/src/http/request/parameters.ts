import { isUtf8 } from 'node:buffer';
import {
  BRIEF_FIELDS,
  FIELD_SHAPES,
  hasField,
  isUuid,
  type Kind,
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

/** How the value of a parameter is read into its one form; empty where it says no more than its absence. */
const FORMS: Readonly<Partial<Record<ParameterName, (text: string) => string>>> = {
  bbox: readBbox,
  edition: readEdition,
  fields: readFields,
  format: readFormat,
  of: readFacets,
  page: readPage,
  q: (text) => text.trim(),
  sort: readSort,
};

/**
 * The parameters of a request in their one form: those that the endpoint knows, in alphabetical order. Unknown ones
 * are left out, of a repeated one the last counts, an empty one counts as absent, and so does `page=1`.
 *
 * @throws Problem for a value that the parameter cannot have
 */
export function readParameters(known: readonly ParameterName[], given: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams();
  for (const name of known.toSorted()) {
    const text = given.getAll(name).at(-1);
    if (!text) continue;
    const value = FORMS[name]?.(text) ?? text;
    if (value) read.set(name, value);
  }
  return read;
}

/** What other APIs call the number of records on a page, and where it begins. */
const SIZES = new Set('limit size page_size pagesize per_page perpage count rows offset start'.split(' '));

const INSTEAD_OF_SIZE: Bilingual = {
  en: 'no size: a page has ten records. Follow next for more, ask for less of each with fields, or take all records of a kind at once from the dumps',
  nl: 'geen grootte: een pagina heeft tien records. Volg next voor meer, vraag met fields minder van elk, of haal alle records van een soort ineens uit de dumps',
};

/** @throws Problem when the value of a parameter that the endpoint knows is not UTF-8, percent-encoded */
export function refuseNoText(known: readonly ParameterName[], query: string): void {
  for (const pair of query.split('&')) {
    const name = pair.slice(0, pair.indexOf('='));
    if (!(known as readonly string[]).includes(name)) continue;
    const broken = pair.match(/(?:%[0-9a-f]{2})+/gi)?.find((bytes) => !isUtf8(toBytes(bytes)));
    if (broken === undefined) continue;
    throw new Problem(
      'bad-request',
      {
        en: `${name}: ${broken} is not UTF-8.`,
        nl: `${name}: ${broken} is geen UTF-8.`,
      },
      inBoth('UTF-8, percent-encoded: caf%C3%A9'),
    );
  }
}

function toBytes(encoded: string): Buffer {
  return Buffer.from(encoded.replaceAll('%', ''), 'hex');
}

/** @throws Problem when the request has a parameter that the endpoint does not know */
export function refuseUnknown(known: readonly ParameterName[], given: URLSearchParams): void {
  const unknown = [...given.keys()].find((name) => !(known as readonly string[]).includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const { en, nl } = didYouMean(nearest);
  throw new Problem(
    'unknown-parameter',
    {
      en: `There is no parameter "${unknown}"${en}`,
      nl: `Er is geen parameter "${unknown}"${nl}`,
    },
    SIZES.has(unknown.toLowerCase()) ? INSTEAD_OF_SIZE : inBoth(known.join(', ')),
    { parameters: known, ...(nearest !== undefined && { nearest }) },
  );
}

/** Whether a request asks that what the server does not understand be refused (RFC 7240, section 4.4). */
export function isStrict(prefer: string): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(prefer);
}

/**
 * The address of an answer: its URL with its parameters as `readParameters` gives them, percent-encoded. Links, ETags
 * and the cache all name an answer by it.
 */
export function canonicalUrl(url: string, parameters: Iterable<[string, string]>): string {
  const pairs = [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return pairs.length > 0 ? `${url}?${pairs.join('&')}` : url;
}

/** The page that a request is for: its `page`, or the first. */
export function pageOf(parameters: URLSearchParams): number {
  return Number(parameters.get('page') ?? 1);
}

function readPage(text: string): string {
  const page = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (page < 1) throw invalidPage();
  return page === 1 ? '' : String(page);
}

/** A page that there is not; `last` is the last that there is, where that is known. */
export function invalidPage(last?: number): Problem {
  const expected =
    last === undefined
      ? { en: 'a whole number from 1', nl: 'een geheel getal vanaf 1' }
      : { en: `a whole number from 1 to ${last}`, nl: `een geheel getal van 1 tot en met ${last}` };
  return new Problem('invalid-page', { en: 'Invalid page.', nl: 'Ongeldige pagina.' }, expected);
}

function readFormat(text: string): string {
  if (text === 'api') return text;
  throw new Problem(
    'invalid-format',
    { en: `There is no format "${text}".`, nl: `Er is geen formaat "${text}".` },
    { en: 'format=api, or no format', nl: 'format=api, of geen format' },
  );
}

/** The orders of hits: the first is that without `sort`. */
export const SORTS = ['relevance', 'name', 'date', '-date', 'id'] as const;

function readSort(text: string): string {
  const sort = SORTS.find((each) => each === text);
  if (sort !== undefined) return sort === SORTS[0] ? '' : sort;
  throw new Problem(
    'invalid-sort',
    { en: `There is no order "${text}".`, nl: `Er is geen volgorde "${text}".` },
    { en: `one of ${SORTS.join(', ')}`, nl: `een van ${SORTS.join(', ')}` },
    { orders: SORTS },
  );
}

/** The facets asked for, in one order and each once; all of them are what no list means. */
function readFacets(text: string): string {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(FACETS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new Problem(
      'invalid-facet',
      { en: `There is no facet "${unknown}".`, nl: `Er is geen facet "${unknown}".` },
      {
        en: `some of ${FACETS.join(', ')}, with commas between`,
        nl: `enkele van ${FACETS.join(', ')}, met komma's ertussen`,
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
    en: 'the number of an edition, as the header Archive-Edition gives it, or its key',
    nl: 'het nummer van een editie, zoals de header Archive-Edition het geeft, of haar sleutel',
  });
}

/** Whether a text can be the number of an edition. */
export function isEdition(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/** The name of the short sets of fields. */
const BRIEF = 'brief';

/** What records of any kind have. */
const EVERY_FIELD = mergedShape();

/**
 * The names of fields in their one form: in the contract's order, each once, and none that another one holds.
 *
 * @throws Problem for a field that no record has
 */
function readFields(text: string): string {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === BRIEF) return BRIEF;
  const unknown = names.find((name) => !hasField(EVERY_FIELD, name));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(EVERY_FIELD));
  return selectedNames(selectFields(EVERY_FIELD, names)).join(',');
}

/**
 * What a request asks for of its records; undefined where that is all of them.
 *
 * @param kinds the kinds of records that it can be answered with
 * @throws Problem for a field that none of these has
 */
export function selectionsAsked(parameters: URLSearchParams, kinds: readonly Kind[]): Selections | undefined {
  const text = parameters.get('fields');
  if (text === null) return undefined;
  if (text === BRIEF) return selectionsOf((kind) => BRIEF_FIELDS[kind]);
  const names = text.split(',');
  const unknown = names.find((name) => !kinds.some((kind) => hasField(FIELD_SHAPES[kind], name)));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(mergedShape(kinds)));
  return selectionsOf(() => names);
}

function noSuchField(name: string, fields: readonly string[]): Problem {
  const nearest = nearestName(name, fields);
  const { en, nl } = didYouMean(nearest);
  const list = fields.join(', ');
  return new Problem(
    'invalid-fields',
    { en: `There is no field "${name}"${en}`, nl: `Er is geen veld "${name}"${nl}` },
    {
      en: `fields=${BRIEF}, or some of ${list}, with commas between; of what is embedded, fields such as location.name`,
      nl: `fields=${BRIEF}, of enkele van ${list}, met komma's ertussen; van wat is ingebed velden als location.name`,
    },
    { fields, ...(nearest !== undefined && { nearest }) },
  );
}

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/**
 * A box in its one form: `west,south,east,north`, each as short as it can be written.
 *
 * @throws Problem when it is anything else, or `south` is more than `north`
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
      { en: `"${text}" is no box.`, nl: `"${text}" is geen rechthoek.` },
      {
        en: 'bbox=west,south,east,north in degrees, such as 4.8,52.3,5.0,52.4',
        nl: 'bbox=west,zuid,oost,noord in graden, zoals 4.8,52.3,5.0,52.4',
      },
    );
  }
  return numbers.map((number) => number + 0).join(',');
}

/** The box that a text in its one form stands for. */
export function boxOf(bbox: string): Box {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
  return { west, south, east, north };
}

/**
 * The order that is asked for: names are sorted in the language of the request.
 *
 * @returns undefined for hits by score
 */
export function orderOf(parameters: URLSearchParams, language: Language): Order | undefined {
  const sort = SORTS.find((each) => each === parameters.get('sort'));
  if (sort === undefined || sort === 'relevance') return undefined;
  return sort === 'name' ? `name_${language}` : sort;
}
