import { COLLECTIONS, isKind, KINDS, kindOfCollection } from '@archive/types';
import { nearestName } from '../nearest-name.ts';
import { isRange, parseRange } from './date-range.ts';
import { SEARCH_FIELDS, type SearchField, searchField } from './fields.ts';
import { fold } from './fold.ts';
import type { Clause, Query } from './query.ts';
import { QueryError } from './query-error.ts';
import { wordsOf } from './words.ts';

/** Longest query taken, in characters (UTF-16 units). */
export const MAX_QUERY_LENGTH = 1_000;

/** Most clauses and free words taken together; those of a phrase count one by one. */
export const MAX_CLAUSES = 16;

const SPACE = /\s*/y;
const FIELD = /([a-z_]+):/iy;
const NEXT_FIELD = /\s[a-z_]+:/gi;
const QUOTED = /["“”„]([^"“”„]*)["“”„]?/y;
const WORD = /\S+/y;
const WORD_OR_RANGE = /\S+(?:\s*\.\.\s*\S*)?/y;

/**
 * Reads a query: `field:value` clauses, free words and `"phrases"`. A value runs to the next ` word:` or the end,
 * unless quoted; a kind, id or date is one word or range. A quote that is not closed runs to the end.
 *
 * @param q what was typed, decoded
 * @throws QueryError when the query cannot be answered as it stands
 */
export function parseQuery(q: string): Query {
  if (q.length > MAX_QUERY_LENGTH) {
    throw new QueryError({ reason: 'too-long', characters: q.length, limit: MAX_QUERY_LENGTH });
  }
  const clauses: Clause[] = [];
  const phrases = new Set<string>();
  const typed: string[] = [];
  let words = 0;
  const reader = new Reader(q);
  while (!reader.atEnd()) {
    const name = reader.take(FIELD)?.[1];
    if (name !== undefined) {
      clauses.push(fieldClause(name.toLowerCase(), reader));
    } else {
      const text = reader.wordOrPhrase();
      const phrase = wordsOf(text);
      if (phrase.length > 0) phrases.add(phrase.join(' '));
      words += phrase.length;
      typed.push(text);
    }
    if (clauses.length + words > MAX_CLAUSES) {
      throw new QueryError({ reason: 'too-many-clauses', limit: MAX_CLAUSES });
    }
  }
  if (phrases.size > 0) clauses.push({ type: 'text', phrases: [...phrases], typed: fold(typed.join(' ')) });
  else if (typed.length > 0 && clauses.length === 0)
    throw new QueryError({ reason: 'nothing-searchable', value: q.trim() });
  if (clauses.length === 0) throw new QueryError({ reason: 'empty-query' });
  return { clauses };
}

/** Walks over a query. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether nothing but space is left; skips the space. */
  atEnd(): boolean {
    this.take(SPACE);
    return this.#at >= this.#text.length;
  }

  /** What a sticky pattern matches here, which is passed over. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }

  wordOrPhrase(): string {
    return this.take(QUOTED)?.[1] ?? this.take(WORD)?.[0] ?? '';
  }

  /** A field's value: quoted, or up to the next field; of that, but one word where `oneWord` says so. */
  value(oneWord: boolean): string {
    const start = this.#at;
    this.take(SPACE);
    const quoted = this.take(QUOTED);
    if (quoted) return quoted[1] ?? '';
    NEXT_FIELD.lastIndex = start;
    const end = NEXT_FIELD.exec(this.#text)?.index ?? this.#text.length;
    if (oneWord && this.#at < end) return this.take(WORD_OR_RANGE)?.[0] ?? '';
    this.#at = end;
    return this.#text.slice(start, end);
  }
}

function fieldClause(name: string, reader: Reader): Clause {
  const field = searchField(name);
  if (!field) {
    const fields = SEARCH_FIELDS.map((known) => known.name);
    throw new QueryError({
      reason: 'unknown-field',
      field: name,
      nearest: nearestName(name, fields),
      fields,
    });
  }
  const value = fold(reader.value(field.matching !== 'contains'));
  if (value === '') throw new QueryError({ reason: 'empty-value', field: name });
  return valueClause(field, value);
}

function valueClause(field: SearchField, value: string): Clause {
  if (field.matching === 'kind') return { type: 'kind', kind: kindNamed(value) };
  if (field.matching === 'date' && isRange(value)) {
    return { type: 'range', field: field.name, range: parseRange(field.name, value) };
  }
  return { type: 'value', field: field.name, value };
}

function kindNamed(value: string) {
  const kind = isKind(value) ? value : kindOfCollection(value);
  if (!kind) {
    throw new QueryError({ reason: 'unknown-kind', value, kinds: [...KINDS, ...Object.values(COLLECTIONS)] });
  }
  return kind;
}
