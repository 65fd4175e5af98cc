import { COLLECTIONS, isKind, isUuid, KINDS, type Kind, kindOfCollection } from '@archiefkast/types';
import type { Matching, SearchField } from '../fields.ts';
import { fold } from '../fold.ts';
import { wordsOf } from '../words.ts';
import { isRange, parseRange } from './date-range.ts';
import { parseBox, parseCircle } from './parse-place.ts';
import type { Clause } from './query.ts';
import { QueryError } from './query-error.ts';
import type { Extent, QueryReader, TypedValue } from './query-reader.ts';

/** How far a value goes that is not quoted. */
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
 * Reads the value of a field, and what is asked by it.
 *
 * @throws QueryError when the value is missing, or not one that the field can have
 */
export function parseClause(field: SearchField, reader: QueryReader): Clause {
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

/** What is quoted is one phrase; else every word is. */
function phrasesOf({ text, isQuoted }: TypedValue): string[] {
  const words = wordsOf(text);
  if (words.length === 0) throw new QueryError({ reason: 'nothing-searchable', value: text.trim() });
  return isQuoted ? [words.join(' ')] : [...new Set(words)];
}

/** One of the values that the field can have: listed ones, or else the number of a century. */
function elementOf({ name, values }: SearchField, value: string): string {
  if (values?.includes(value)) return value;
  if (values) throw new QueryError({ reason: 'unknown-value', field: name, value, values });
  if (/^\d{1,2}$/.test(value) && Number(value) > 0) return String(Number(value));
  throw new QueryError({ reason: 'malformed-century', field: name, value });
}
