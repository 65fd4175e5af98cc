import { nearestName } from '../../nearest-name.ts';
import { SEARCH_FIELDS, searchField } from '../fields.ts';
import { fold } from '../fold.ts';
import { wordsOf } from '../words.ts';
import { parseClause } from './parse-clause.ts';
import type { Clause, Query } from './query.ts';
import { QueryError } from './query-error.ts';
import { QueryReader } from './query-reader.ts';

/** Longest query taken, in characters (UTF-16 units). */
export const MAX_QUERY_LENGTH = 1_000;

/** Most clauses and free words taken together; those of a phrase count one by one. */
export const MAX_CLAUSES = 16;

/**
 * Reads a query: `field:value` clauses, free words and `"phrases"`; with a `-` before them, what is excluded. A value
 * runs to the next ` word:` or the end, unless quoted; that of a kind, id, date and the like is one word or range. A
 * quote that is not closed runs to the end.
 *
 * @param q what was typed, decoded
 * @throws QueryError when the query cannot be answered as it stands
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
