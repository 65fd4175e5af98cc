import {
  forKinds,
  isUuid,
  KINDS,
  type Kind,
  kindOfCollection,
  LANGUAGES,
  type Language,
  UUID_PATTERN,
} from '@archiefkast/types';
import {
  ABBREVIATED_SHAPES,
  BRIEF_ABBREVIATED_FIELDS,
  BRIEF_FIELDS,
  FIELD_SHAPES,
  hasField,
  mergedShape,
  selectedNames,
  selectFields,
} from '@archiefkast/types/internal';
import type { RecordForm } from '../edition/edition-reader.ts';
import {
  type Box,
  FACETS,
  hasSuggestions,
  MAX_QUERY_LENGTH,
  type Order,
  readBox,
  SEARCH_FIELDS,
} from '../search/index.ts';
import { invalidPage, Problem, type ProblemName, unknownName } from './problems.ts';

/** A parameter of the query or of the path. */
export interface Parameter {
  description: string;
  /** JSON Schema; absent for parameters of pages, which OpenAPI does not describe. */
  schema?: object;
  example?: string | number;
  required?: true;
  /** The normalized value that means the same as none. */
  default?: string;
  /** The problems of invalid values, and of what the parameter needs. */
  problems?: readonly ProblemName[];
  /** Whether it is a list, separated by commas, or given as several parameters of the name, or of the name and `[]`. */
  isList?: true;
  /** Normalizes a value; of a required parameter, also the empty one. @throws Problem if it is invalid */
  read?(text: string): string;
}

const OF_SEARCH = ['search-timeout', 'search-busy', 'search-unavailable'] as const;

/** The valid values of `events`. */
const EVENT_FORMS = ['full', 'abbreviated'] as const;

/** The valid values of `sort`. */
const SORTS = ['relevance', 'name', 'date', '-date', 'id'] as const;

/** Limit of a prefix, in characters. */
const LONGEST_PREFIX = 200;

/** The fields with suggestions: text fields that match by word. */
const SUGGESTED_FIELDS = SEARCH_FIELDS.filter(hasSuggestions).map(({ name }) => name);

const readKind = oneOf('kind', KINDS, 'invalid-suggestion', 'kinds');

/** Selects the short set of fields of each kind. */
const BRIEF = 'brief';

/** The name of a field: `name`, or `location.name`. */
const FIELD = '[a-z_]+(\\.[a-z_]+)*';

export const PARAMETERS = {
  bbox: {
    description:
      'Bounding box of the features: west,south,east,north in degrees. West may be greater than east, to cross the date line.',
    schema: { type: 'string', pattern: '^ *[+-]?[0-9.]+ *(, *[+-]?[0-9.]+ *){3}$' },
    example: '4.8,52.3,5.0,52.4',
    problems: ['invalid-bbox', ...OF_SEARCH],
    read: (text) => Object.values(boxOf(text)).join(','),
  },
  cursor: {
    description: 'Number of suggestions to skip. Default: 0.',
    schema: { type: 'integer', minimum: 0 },
    example: 10,
    default: '0',
    problems: ['invalid-suggestion'],
    read(text) {
      if (/^\d{1,9}$/.test(text)) return String(Number(text));
      throw new Problem('invalid-suggestion', `Invalid cursor "${text}".`, 'a number from 0');
    },
  },
  date: {
    description: 'Field of the range from … to on the page of search: birth_date, death_date or date.',
  },
  edition: {
    description:
      'Number of a kept edition, as in the header Archive-Edition, or its key, so that all pages come from that edition. Default: the served edition.',
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: `^${UUID_PATTERN}$` },
      ],
    },
    problems: ['invalid-edition', 'no-such-edition', 'edition-gone'],
    read: (text) =>
      isUuid(text)
        ? text.toLowerCase()
        : readEdition(text, 'the number of an edition, as in the header Archive-Edition, or its key'),
  },
  events: {
    description:
      'Form of events: full (default), with their persons and location; or abbreviated, with the addresses of these, as in the events of a location, which stays small at a location with many events.',
    schema: { type: 'string', enum: EVENT_FORMS },
    example: 'abbreviated',
    default: 'full',
    problems: ['invalid-events'],
    read: oneOf('form of events', EVENT_FORMS, 'invalid-events', 'forms'),
  },
  field: {
    description:
      'Text field of search whose values are suggested, such as last_name. Default: the names of all records.',
    schema: { type: 'string', enum: SUGGESTED_FIELDS },
    example: 'last_name',
    problems: ['invalid-suggestion', ...OF_SEARCH],
    read(name) {
      if (SUGGESTED_FIELDS.includes(name)) return name;
      throw unknownName(
        'invalid-suggestion',
        `No suggestions for field "${name}"`,
        { name, valid: SUGGESTED_FIELDS },
        'field=<field>, one of the member fields; or no field, for names of records',
      );
    },
  },
  fields: {
    description:
      'Comma-separated fields of each record, such as title,uuid; fields of embedded records, such as location.name; and brief, for a short set. Default: all fields.',
    schema: { type: 'string', pattern: `^${FIELD}(,${FIELD})*$` },
    example: BRIEF,
    problems: ['invalid-fields'],
    isList: true,
    /** `brief` first, then in the order of the contract, without duplicates and without fields inside others. */
    read(text) {
      const every = mergedShape();
      const names = text.split(',').map((name) => name.trim());
      const others = names.filter((name) => name !== BRIEF);
      const unknown = others.find((name) => !hasField(every, name));
      if (unknown !== undefined) throw noSuchField(unknown, Object.keys(every));
      const brief = others.length < names.length ? [BRIEF] : [];
      return [...brief, ...selectedNames(selectFields(every, others))].join(',');
    },
  },
  format: {
    description: 'Only the value "api" is valid, also as "json"; the response is JSON with or without it.',
    schema: { type: 'string', enum: ['api', 'json'] },
    example: 'api',
    problems: ['invalid-format'],
    read(text) {
      if (text === 'api' || text === 'json') return 'api';
      throw new Problem('invalid-format', `Unknown format "${text}".`, 'format=api, or no format');
    },
  },
  from: {
    description: 'First year or day of the range on the page of search; absent for an open range.',
  },
  kind: {
    description:
      'Kind of the records whose values are suggested: person, subject, location or event. Default: all kinds.',
    schema: { type: 'string', enum: KINDS },
    example: 'person',
    problems: ['invalid-suggestion'],
    read: (text) => kindOfCollection(text) ?? readKind(text),
  },
  of: {
    description: 'Comma-separated facets: kind, century, city, subject, gender. Default: all facets.',
    schema: { type: 'string', pattern: `^(${FACETS.join('|')})(,(${FACETS.join('|')}))*$` },
    example: 'kind,century',
    default: FACETS.join(','),
    problems: ['invalid-facet', ...OF_SEARCH],
    isList: true,
    /** In a fixed order, without duplicates. */
    read(text) {
      const names = text.split(',').map((name) => name.trim());
      const unknown = names.find((name) => !(FACETS as readonly string[]).includes(name));
      if (unknown === undefined) return FACETS.filter((facet) => names.includes(facet)).join(',');
      throw new Problem(
        'invalid-facet',
        `Unknown facet "${unknown}".`,
        `one or more of ${FACETS.join(', ')}, separated by commas`,
        { facets: FACETS },
      );
    },
  },
  page: {
    description: 'Page of results, from 1. Default: 1.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
    default: '1',
    problems: ['invalid-page'],
    read(text) {
      const page = /^\d{1,15}$/.test(text) ? Number(text) : 0;
      if (page < 1) throw invalidPage();
      return String(page);
    },
  },
  prefix: {
    description: 'First characters of a word in the value; may be empty.',
    schema: { type: 'string', maxLength: LONGEST_PREFIX },
    example: 'hu',
    problems: ['invalid-suggestion'],
    read(text) {
      if (text.length <= LONGEST_PREFIX) return text;
      const expected = `at most ${LONGEST_PREFIX} characters`;
      throw new Problem('invalid-suggestion', 'The parameter "prefix" is too long.', expected);
    },
  },
  q: {
    description:
      'Query: words, or clauses such as last_name:vries or city:Leiden; a record matches if all of them match.',
    schema: { type: 'string', maxLength: MAX_QUERY_LENGTH },
    example: 'city:leiden',
    problems: ['invalid-query', ...OF_SEARCH],
    read: (text) => text.trim(),
  },
  queries: {
    description: 'Batch of queries of the Reconciliation API 0.2, as JSON.',
    schema: { type: 'string' },
    example: '{"q0":{"query":"Jan Calkoen","type":"person"}}',
    problems: ['invalid-queries', 'too-many-queries', ...OF_SEARCH],
  },
  sort: {
    description: 'Order of the hits: relevance (default), name, date, -date (latest first) or id.',
    schema: { type: 'string', enum: SORTS },
    example: 'name',
    default: 'relevance',
    problems: ['invalid-sort', ...OF_SEARCH],
    read: oneOf('sort order', SORTS, 'invalid-sort', 'orders'),
  },
  to: {
    description: 'Last year or day of the range on the page of search, included; absent for an open range.',
  },
  since: {
    description: 'Number of a kept edition, as in the header Archive-Edition: changes since that edition.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
    required: true,
    problems: ['invalid-edition', 'no-such-edition', 'edition-gone'],
    read: (text) =>
      readEdition(text, 'since=<edition>, the number of an edition, as in the header Archive-Edition'),
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

/** The path parameters. */
export const SEGMENTS: Readonly<Record<string, Parameter>> = {
  lang: {
    description: 'Language of the response.',
    schema: { type: 'string', enum: LANGUAGES },
    example: 'en',
  },
  uuid: {
    description: 'UUID of the record.',
    schema: { type: 'string', pattern: `^${UUID_PATTERN}$` },
    example: '00000000-0000-4000-8000-000000000000',
  },
};

/**
 * The known parameters of a request, normalized and in alphabetical order. Unknown, empty and default ones are dropped;
 * of a repeated one the last counts, unless it is a list.
 *
 * @throws Problem for an invalid or missing value
 */
export function readParameters(known: readonly ParameterName[], given: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams();
  for (const name of known.toSorted()) {
    const parameter: Parameter = PARAMETERS[name];
    const text = parameter.isList ? listOf(name, given) : (given.getAll(name).at(-1) ?? '');
    if (text === '' && !parameter.required) continue;
    // What is not UTF-8 is decoded to this character.
    if (text.includes('\u{FFFD}')) {
      throw new Problem(
        'bad-request',
        `Invalid UTF-8 in parameter "${name}".`,
        'percent-encoded UTF-8, such as caf%C3%A9',
      );
    }
    const value = parameter.read?.(text) ?? text;
    if (value && value !== parameter.default) read.set(name, value);
  }
  return read;
}

/** A list, also as clients write arrays: `fields=a&fields=b`, `fields[]=a&fields[]=b`, `fields[0]=a&fields[1]=b`. */
function listOf(name: string, given: URLSearchParams): string {
  const isNamed = ([key]: [string, string]) => key.replace(/\[\d*\]$/, '') === name;
  return [...given]
    .filter(isNamed)
    .flatMap(([, value]) => value || [])
    .join(',');
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

/** Reads one of several values, which the problem of another one lists as a member. */
function oneOf(what: string, values: readonly string[], problem: ProblemName, member: string) {
  return (text: string): string => {
    if (values.includes(text)) return text;
    const expected = `one of ${values.join(', ')}`;
    throw new Problem(problem, `Unknown ${what} "${text}".`, expected, { [member]: values });
  };
}

/** Reads the number of an edition. */
function readEdition(text: string, expected: string): string {
  if (isEdition(text)) return text;
  const detail = text === '' ? 'Missing parameter "since".' : `Invalid edition "${text}".`;
  throw new Problem('invalid-edition', detail, expected);
}

/** Whether a text is a valid edition number. */
export function isEdition(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/**
 * The requested form of records: whether events are abbreviated, and the fields of each kind.
 *
 * @param kinds the kinds of records that the response can contain
 * @throws Problem for a field that none of these has
 */
export function formAsked(parameters: URLSearchParams, kinds: readonly Kind[]): RecordForm {
  const isAbbreviated = parameters.get('events') === 'abbreviated';
  const text = parameters.get('fields');
  if (text === null) return { isAbbreviated };
  const names = text.split(',').filter((name) => name !== BRIEF);
  const isBrief = names.join(',') !== text;
  const shapes = isAbbreviated ? ABBREVIATED_SHAPES : FIELD_SHAPES;
  const unknown = names.find((name) => !kinds.some((kind) => hasField(shapes[kind], name)));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(mergedShape(kinds, shapes)));
  const brief = isAbbreviated ? { ...BRIEF_FIELDS, event: BRIEF_ABBREVIATED_FIELDS } : BRIEF_FIELDS;
  const namesOf = (kind: Kind) => (isBrief ? [...brief[kind], ...names] : names);
  return { isAbbreviated, selections: forKinds((kind) => selectFields(shapes[kind], namesOf(kind))) };
}

function noSuchField(name: string, valid: readonly string[]): Problem {
  return unknownName(
    'invalid-fields',
    `Unknown field "${name}"`,
    { name, valid },
    `fields=${BRIEF}, one or more of ${valid.join(', ')}, or both, separated by commas; fields of embedded records such as location.name`,
  );
}

/**
 * Parses a bounding box: `west,south,east,north`.
 *
 * @throws Problem if it is invalid, or `south` is greater than `north`
 */
export function boxOf(text: string): Box {
  const box = readBox(text, ['west', 'south', 'east', 'north']);
  if (!box || box.south > box.north) {
    throw new Problem(
      'invalid-bbox',
      `Invalid bounding box "${text}".`,
      'bbox=west,south,east,north in degrees, such as 4.8,52.3,5.0,52.4',
    );
  }
  return box;
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
