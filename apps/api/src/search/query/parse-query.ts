import { COLLECTIONS, isKind, isUuid, KINDS, type Kind, kindOfCollection } from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';
import { fold, wordsOf } from '../fields/fold.ts';
import { type Matching, SEARCH_FIELDS, type SearchField, searchField } from '../fields/search-fields.ts';
import { type Box, type Circle, type Clause, type DateRange, type Query, QueryError } from './query.ts';

/** Maximum length of a query, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 1_000;

/** Maximum number of clauses and free words together; every word of a phrase counts. */
export const MAX_CLAUSES = 16;

/**
 * Parses a query: `field:value` clauses, free words and `"phrases"`; a preceding `-` excludes. An unquoted value extends
 * to the next ` word:` or the end; that of a kind, id, date and the like is one word or range. An unclosed quote extends
 * to the end.
 *
 * @param q the query, URL-decoded
 * @throws QueryError if the query is invalid
 */
export function parseQuery(q: string): Query {
  if (q.length > MAX_QUERY_LENGTH) {
    throw new QueryError({ reason: 'too-long', characters: q.length, limit: MAX_QUERY_LENGTH });
  }
  const query: Query = { clauses: [], excluded: [] };
  const phrases = new Set<string>();
  const typed: string[] = [];
  let size = 0;
  let isTyped = false;
  const reader = new QueryReader(q);
  while (!reader.atEnd()) {
    const into = reader.minus() ? query.excluded : query.clauses;
    const name = reader.field();
    if (name !== undefined) {
      const clause = fieldClause(name, reader);
      into.push(clause);
      size += clause.type === 'words' ? countWords(clause.phrases) : 1;
    } else {
      isTyped = true;
      const text = reader.wordOrPhrase();
      const words = wordsOf(text);
      const phrase = words.join(' ');
      size += words.length;
      if (into === query.clauses) {
        typed.push(text);
        if (phrase !== '') phrases.add(phrase);
      } else if (phrase !== '') {
        into.push({ type: 'text', phrases: [phrase], typed: '' });
      }
    }
    if (size > MAX_CLAUSES) throw new QueryError({ reason: 'too-many-clauses', limit: MAX_CLAUSES });
  }
  if (phrases.size > 0)
    query.clauses.push({ type: 'text', phrases: [...phrases], typed: fold(typed.join(' ')) });
  if (query.clauses.length + query.excluded.length > 0) return query;
  throw new QueryError(
    isTyped ? { reason: 'nothing-searchable', value: q.trim() } : { reason: 'empty-query' },
  );
}

function fieldClause(name: string, reader: QueryReader): Clause {
  const field = searchField(name);
  if (field) return parseClause(field, reader);
  const fields = SEARCH_FIELDS.map((known) => known.name);
  throw new QueryError({ reason: 'unknown-field', field: name, nearest: nearestName(name, fields), fields });
}

function countWords(phrases: readonly string[]): number {
  return phrases.reduce((count, phrase) => count + phrase.split(' ').length, 0);
}

/** How far an unquoted value extends, by matching. */
const EXTENTS: Readonly<Record<Matching, Extent>> = {
  contains: 'to the next field',
  words: 'to the next field',
  whole: 'word',
  date: 'word',
  element: 'word',
  reference: 'word',
  kind: 'word',
  near: 'numbers',
  within: 'numbers',
};

const ID = /^\d{1,16}$/;

/**
 * Parses the value of a field into a clause.
 *
 * @throws QueryError if the value is missing or invalid for the field
 */
function parseClause(field: SearchField, reader: QueryReader): Clause {
  const { name, matching } = field;
  const isWhole = matching === 'contains' && reader.equals();
  const typed = reader.value(EXTENTS[matching]);
  const value = fold(typed.text);
  if (value === '') throw new QueryError({ reason: 'empty-value', field: name });
  switch (matching) {
    case 'kind':
      return { type: 'kind', kind: kindNamed(value) };
    case 'words':
      return { type: 'words', field: name, phrases: phrasesOf(typed) };
    case 'reference':
      if (isUuid(value) || ID.test(value)) return { type: 'reference', field: name, record: value };
      throw new QueryError({ reason: 'malformed-reference', field: name, value });
    case 'near':
      return { type: 'near', circle: parseCircle(name, value) };
    case 'within':
      return { type: 'within', box: parseBox(name, value) };
    case 'element':
      return { type: 'value', field: name, value: elementOf(field, value) };
    case 'date':
      if (isRange(value)) return { type: 'range', field: name, range: parseRange(name, value) };
      return { type: 'value', field: name, value };
    default:
      return { type: 'value', field: name, value, ...(isWhole && { whole: true }) };
  }
}

function kindNamed(value: string): Kind {
  const kind = isKind(value) ? value : kindOfCollection(value);
  if (kind) return kind;
  throw new QueryError({ reason: 'unknown-kind', value, kinds: [...KINDS, ...Object.values(COLLECTIONS)] });
}

/** The phrases of a value: one if it is quoted, otherwise every word. */
function phrasesOf({ text, isQuoted }: TypedValue): string[] {
  const words = wordsOf(text);
  if (words.length === 0) throw new QueryError({ reason: 'nothing-searchable', value: text.trim() });
  return isQuoted ? [words.join(' ')] : [...new Set(words)];
}

/** Validates a value of a list: one of `values`, or a century. */
function elementOf({ name, values }: SearchField, value: string): string {
  if (values?.includes(value)) return value;
  if (values) throw new QueryError({ reason: 'unknown-value', field: name, value, values });
  if (/^\d{1,2}$/.test(value) && Number(value) > 0) return String(Number(value));
  throw new QueryError({ reason: 'malformed-century', field: name, value });
}

const BOUND = /^(\d{3,4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Whether the value of a date field is a range. */
function isRange(value: string): boolean {
  return value.includes('..');
}

/**
 * Parses `from..to`, `from..` or `..to`, each side a year, a month (`1620-03`) or a day (`1620-03-01`). A year or
 * month includes all its days.
 *
 * @param field name of the field, for the error
 * @throws QueryError if the range is malformed, or ends before it starts
 */
function parseRange(field: string, value: string): DateRange {
  const [first = '', last = '', ...more] = value.split('..').map((side) => side.trim());
  const from = first === '' ? 0 : dayOf(first, 0);
  const to = last === '' ? 9999_99_99 : dayOf(last, 99);
  if (from === undefined || to === undefined || first + last === '' || more.length > 0) {
    throw new QueryError({ reason: 'malformed-range', field, value });
  }
  if (from > to) throw new QueryError({ reason: 'inverted-range', field, value });
  return { from, to };
}

/** The day as a number YYYYMMDD, with `filler` for a missing month or day. */
function dayOf(text: string, filler: number): number | undefined {
  const [, year, month, date] = BOUND.exec(text) ?? [];
  if (!year || Number(month ?? 1) > 12 || Number(date ?? 1) > 31) return undefined;
  return Number(year) * 10_000 + Number(month ?? filler) * 100 + Number(date ?? filler);
}

const NUMBER = /^-?\d{1,3}(?:\.\d{1,20})?$/;
const DISTANCE = /^(\d{1,9}(?:\.\d{1,20})?)(k?m)$/;

/**
 * Parses `latitude,longitude,distance`, such as `52.37,4.89,500m` or `52.37,4.89,2km`.
 *
 * @param field name of the field, for the error
 * @throws QueryError if it is malformed
 */
function parseCircle(field: string, value: string): Circle {
  const [first, second, distance = '', ...more] = partsOf(value);
  const [latitude, longitude] = [degreesOf(first, 90), degreesOf(second, 180)];
  const [, amount, unit] = DISTANCE.exec(distance) ?? [];
  const metres = Number(amount) * (unit === 'km' ? 1_000 : 1);
  if (latitude === undefined || longitude === undefined || !(metres > 0) || more.length > 0) {
    throw new QueryError({ reason: 'malformed-circle', field, value });
  }
  return { latitude, longitude, metres };
}

/**
 * Parses `south,west,north,east` in degrees, such as `52.3,4.8,52.4,5.0`.
 *
 * @param field name of the field, for the error
 * @throws QueryError if it is malformed, or `south` is greater than `north`
 */
function parseBox(field: string, value: string): Box {
  const [first, second, third, fourth, ...more] = partsOf(value);
  const [south, west] = [degreesOf(first, 90), degreesOf(second, 180)];
  const [north, east] = [degreesOf(third, 90), degreesOf(fourth, 180)];
  const isBox = south !== undefined && west !== undefined && north !== undefined && east !== undefined;
  if (!isBox || south > north || more.length > 0) {
    throw new QueryError({ reason: 'malformed-box', field, value });
  }
  return { south, west, north, east };
}

function partsOf(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

function degreesOf(text: string | undefined, most: number): number | undefined {
  const number = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= most ? number : undefined;
}

const SPACE = /\s*/y;
const FIELD = /([a-z_]+):/iy;
const NEXT_FIELD = /\s-?[a-z_]+:/gi;
const MINUS = /-(?=[^\s-])/y;
const EQUALS = /\s*=/y;
const QUOTED = /["“”„]([^"“”„]*)["“”„]?/y;
const WORD = /\S+/y;
const WORD_OR_RANGE = /\S+(?:\s*\.\.\s*\S*)?/y;
const NUMBERS = /[^\s,]+(?:\s*,\s*[^\s,]+)*/y;

/** How far an unquoted value extends: to the next field, one word or range, or comma-separated numbers. */
type Extent = 'to the next field' | 'word' | 'numbers';

/** A value as entered. */
interface TypedValue {
  text: string;
  isQuoted: boolean;
}

/** A scanner of a query. */
class QueryReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Skips white space; returns whether the end is reached. */
  atEnd(): boolean {
    this.#take(SPACE);
    return this.#at >= this.#text.length;
  }

  /** Skips a minus sign; returns whether there was one. */
  minus(): boolean {
    return this.#take(MINUS) !== null;
  }

  /** Reads the name of a field and its colon; undefined if there is none. */
  field(): string | undefined {
    return this.#take(FIELD)?.[1]?.toLowerCase();
  }

  /** Skips an equals sign; returns whether there was one. */
  equals(): boolean {
    return this.#take(EQUALS) !== null;
  }

  /** Reads a word or a quoted phrase; an unclosed quote extends to the end. */
  wordOrPhrase(): string {
    return this.#take(QUOTED)?.[1] ?? this.#take(WORD)?.[0] ?? '';
  }

  /** Reads the value of a field: quoted, or as far as `extent`. */
  value(extent: Extent): TypedValue {
    const start = this.#at;
    this.#take(SPACE);
    const quoted = this.#take(QUOTED);
    if (quoted) return { text: quoted[1] ?? '', isQuoted: true };
    NEXT_FIELD.lastIndex = start;
    const end = NEXT_FIELD.exec(this.#text)?.index ?? this.#text.length;
    if (extent !== 'to the next field' && this.#at < end) {
      const text = this.#take(extent === 'word' ? WORD_OR_RANGE : NUMBERS)?.[0] ?? '';
      return { text, isQuoted: false };
    }
    this.#at = end;
    return { text: this.#text.slice(start, end), isQuoted: false };
  }

  /** Matches a sticky pattern at the current offset, and skips the match. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
