import type { Kind } from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';
import { fold, wordsOf } from '../fields/fold.ts';
import { isOfLocations, SEARCH_FIELDS, type SearchField, searchField } from '../fields/search-fields.ts';
import { parseClause } from './parse-value.ts';
import { type Clause, type Query, QueryError, SHORTEST_START } from './query.ts';
import { QueryReader } from './query-reader.ts';

/** Maximum length of a query, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 1_000;

/** Maximum number of clauses and free words together; every word of a phrase counts. */
export const MAX_CLAUSES = 16;

/** Maximum number of starts of words: each is looked up as all words that start so. */
export const MAX_STARTS = 4;

/** A clause of a field, a word or a phrase, as it stands in a query. */
export interface Term {
  /** Offsets in the query, including a preceding `-`. */
  start: number;
  end: number;
  isExcluded: boolean;
  /** Absent for free words. */
  field?: SearchField;
  /** Absent for words without letters and digits. */
  clause?: Clause;
  /** Free words as typed. */
  typed: string;
}

/**
 * Parses a query: `field:value` clauses, free words and `"phrases"`; a preceding `-` excludes, and `OR` between two joins
 * them as alternatives. An unquoted value extends to the next ` word:` or the end; that of a kind, id, date and the like
 * is one word or range. An unclosed quote extends to the end.
 *
 * @param q the query, URL-decoded
 * @param kind the kind of the wanted records, if the query need not name it
 * @throws QueryError if the query is invalid
 */
export function parseQuery(q: string, kind?: Kind): Query {
  const groups = parseTerms(q);
  const wanted = wantedKind(q, groups) ?? kind;
  const query: Query = { clauses: [], excluded: [] };
  const free: Term[] = [];
  for (const terms of groups) {
    const clauses = terms.flatMap((term) => clauseFor(wanted, term) ?? []);
    const isExcluded = terms.some((term) => term.isExcluded);
    if (terms.length > 1 && clauses.length > 0) query.clauses.push({ type: 'any', clauses });
    else if (isExcluded) query.excluded.push(...clauses.map(withoutName));
    else if (terms.some(({ field }) => field)) query.clauses.push(...clauses);
    else free.push(...terms);
  }
  const phrases = free.flatMap(({ clause }) => (clause?.type === 'text' ? clause.phrases : []));
  if (phrases.length > 0) {
    const typed = fold(free.map((term) => term.typed).join(' '));
    query.clauses.push({ type: 'text', phrases: [...new Set(phrases)], typed });
  }
  if (query.clauses.length + query.excluded.length > 0) return query;
  throw new QueryError(
    groups.length > 0 ? { reason: 'nothing-searchable', value: q.trim() } : { reason: 'empty-query' },
  );
}

/** The clause of a term; with kind `event`, fields of locations mean the location of the event. */
function clauseFor(kind: Kind | undefined, { field, clause }: Term): Clause | undefined {
  return clause && field && kind === 'event' && isOfLocations(field)
    ? { type: 'at-location', clause }
    : clause;
}

/** An excluded clause needs no score for the name. */
function withoutName(clause: Clause): Clause {
  return clause.type === 'text' ? { ...clause, typed: '' } : clause;
}

/**
 * Parses the terms of a query: groups of alternatives, mostly of one term.
 *
 * @throws QueryError if a term is invalid, or there are too many
 */
export function parseTerms(q: string): Term[][] {
  if (q.length > MAX_QUERY_LENGTH) {
    throw new QueryError({ reason: 'too-long', characters: q.length, limit: MAX_QUERY_LENGTH });
  }
  const groups: Term[][] = [];
  const reader = new QueryReader(q);
  let [size, starts] = [0, 0];
  while (!reader.atEnd()) {
    const alternatives = groups.at(-1);
    const end = reader.at;
    const isAlternative = alternatives !== undefined && reader.or();
    reader.atEnd();
    const term = readTerm(reader);
    if (!alternatives || !isAlternative) groups.push([term]);
    else if ([...alternatives, term].some(({ isExcluded }) => isExcluded)) {
      throw new QueryError({ reason: 'excluded-alternative' }, [q.slice(0, end) + q.slice(term.start)]);
    } else alternatives.push(term);
    size += sizeOf(term);
    if (size > MAX_CLAUSES) throw new QueryError({ reason: 'too-many-clauses', limit: MAX_CLAUSES });
    if (isStart(term)) starts += 1;
    if (starts > MAX_STARTS) throw new QueryError({ reason: 'too-many-starts', limit: MAX_STARTS });
  }
  return groups;
}

function readTerm(reader: QueryReader): Term {
  const start = reader.at;
  const isExcluded = reader.minus();
  reader.mark();
  const name = reader.field();
  if (name === undefined) {
    const { clause, typed } = readWords(reader);
    return { start, end: reader.at, isExcluded, ...(clause && { clause }), typed };
  }
  const field = searchField(name);
  if (!field) throw unknownField(name, reader);
  const clause = parseClause(field, reader);
  return { start, end: reader.at, isExcluded, field, clause, typed: '' };
}

/** Reads a word or phrase; a final `*` of a word stands for the rest of it. */
function readWords(reader: QueryReader): Pick<Term, 'clause' | 'typed'> {
  const { text, isQuoted } = reader.wordOrPhrase();
  const words = wordsOf(text);
  if (words.length === 0) return { typed: text };
  const isStart = !isQuoted && text.endsWith('*') && (words.at(-1) ?? '').length >= SHORTEST_START;
  const typed = isStart ? text.slice(0, -1) : text;
  const phrase = words.join(' ') + (isStart ? '*' : '');
  return { clause: { type: 'text', phrases: [phrase], typed: fold(typed) }, typed };
}

function unknownField(name: string, reader: QueryReader): QueryError {
  const fields = SEARCH_FIELDS.map((known) => known.name);
  const nearest = nearestName(name, fields);
  return reader.refuse(
    { reason: 'unknown-field', field: name, nearest, fields },
    nearest === undefined ? [] : [`${nearest}:`],
  );
}

/** The number of words and clauses. */
function sizeOf({ field, clause, typed }: Term): number {
  if (!field) return wordsOf(typed).length;
  return clause?.type === 'words' ? clause.phrases.flatMap((phrase) => phrase.split(' ')).length : 1;
}

/** Whether a term is the start of words. */
function isStart({ clause }: Term): boolean {
  return clause?.type === 'text' && clause.phrases.some((phrase) => phrase.endsWith('*'));
}

/** Fields with the same meaning for other kinds. */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  title: ['name'],
  name: ['title'],
  date: ['birth_date', 'death_date'],
  birth_date: ['date'],
  death_date: ['date'],
  birth_place: ['place', 'city'],
  death_place: ['place', 'city'],
  street: ['place'],
  city: ['place'],
};

/**
 * The kind that the query demands; undefined if it demands none.
 *
 * @throws QueryError if a field cannot match that kind, or there are several kinds
 */
function wantedKind(q: string, groups: readonly Term[][]): Kind | undefined {
  const single = groups.flatMap((terms) => (terms.length === 1 ? terms : []));
  const ofKinds = single.filter(({ clause, isExcluded }) => clause?.type === 'kind' && !isExcluded);
  const kinds = [...new Set(ofKinds.flatMap(({ clause }) => (clause?.type === 'kind' ? clause.kind : [])))];
  const [kind] = kinds;
  if (kind === undefined) return undefined;
  if (kinds.length > 1) {
    const others = replaced(q, ofKinds, '');
    const either = kinds.map((each) => `kind:${each}`).join(' OR ');
    throw new QueryError({ reason: 'several-kinds', kinds }, [`${either} ${others}`.trim()]);
  }
  const [term] = groups.find((terms) => terms.every((each) => !canMatch(kind, each))) ?? [];
  if (!term?.field) return kind;
  const { name, kinds: fieldKinds } = term.field;
  const value = q.slice(q.indexOf(':', term.start), term.end);
  const twins = (TWINS[name] ?? []).filter((twin) => canBe(kind, searchField(twin)));
  throw new QueryError({ reason: 'other-kind', field: name, kinds: fieldKinds, kind }, [
    ...twins.map((twin) => replaced(q, [term], twin + value)),
    ...fieldKinds.map((each) => replaced(q, ofKinds, `kind:${each}`)),
  ]);
}

function canMatch(kind: Kind, { field, isExcluded }: Term): boolean {
  return isExcluded || !field || canBe(kind, field);
}

/** Whether records of a kind can match a field. */
function canBe(kind: Kind, field: SearchField | undefined): boolean {
  if (!field) return false;
  return field.kinds.includes(kind) || (kind === 'event' && isOfLocations(field));
}

/** The query with other text in the place of terms. */
function replaced(q: string, terms: readonly Term[], text: string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of terms) {
    result += q.slice(at, start) + text;
    at = end;
  }
  return (result + q.slice(at)).trim();
}
