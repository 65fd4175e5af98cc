import { fold, wordsOf } from '../fields/fold.ts';
import { SEARCH_FIELDS } from '../fields/search-fields.ts';
import type { Clause, Query } from './query.ts';

/** Most words before a name. */
const MOST_WORDS_BEFORE = 3;

const FIELDS = SEARCH_FIELDS.map(({ name }) => name).join('|');
/** A field with its value, which is never part of a name. */
const FIELD_AND_VALUE = new RegExp(`(?<![\\p{L}\\p{N}_"“”„])(?:${FIELDS}):[^\\s:]`, 'iu');
const WORD = /\S+/g;
/** A word with a meaning, or the name of a field: what follows is no name. */
const OPERATOR = /^(?:AND|OR|NOT|&&|\|+)$|[*~<>=]|[:：]$/;
/** A sign that excludes what follows. */
const EXCLUSION = /(?<!\S)[\p{Pd}−!](?=[\p{L}\p{N}"“”„])/u;

/**
 * The queries that take a text for the name of records, whatever is in it: whole, and after up to three words that such a record
 * has. None if it has a field and its value. A name that would exclude something is taken as it is punctuated.
 */
export function namedQueries(q: string): Query[] {
  if (FIELD_AND_VALUE.test(q)) return [];
  const queries: Query[] = [];
  for (const { 0: word, index } of [...q.matchAll(WORD)].slice(0, MOST_WORDS_BEFORE + 1)) {
    const [before, name] = [wordsOf(q.slice(0, index)), q.slice(index)];
    const folded = fold(name);
    if (folded === '' || before.length > MOST_WORDS_BEFORE) break;
    const isExact = EXCLUSION.test(name) || wordsOf(name).length === 0;
    const clauses: Clause[] = [{ type: 'name', name: folded, isExact }];
    if (before.length > 0) clauses.push({ type: 'text', phrases: before, typed: '' });
    queries.push({ clauses, excluded: [] });
    if (OPERATOR.test(word) || EXCLUSION.test(word)) break;
  }
  return queries;
}
