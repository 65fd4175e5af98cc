import type { Kind } from '@archiefkast/types';
import { fieldsCalled } from '../fields/field-names.ts';
import { fold, wordsOf } from '../fields/fold.ts';
import { SEARCH_FIELDS, searchField } from '../fields/search-fields.ts';
import { BRACKET, EVERYTHING, FOREIGN_OPERATORS, foreignWord, withoutBrackets } from './foreign-syntax.ts';
import { EXTENTS, parseClause } from './parse-value.ts';
import { type Change, type Clause, type Query, QueryError, type Term, TermFault } from './query.ts';
import { QUOTE, QueryReader } from './query-reader.ts';
import { isOfLocations, wantedKind } from './wanted-kind.ts';
import { phrasesOfName, withFewInitials } from './written-names.ts';

/** Maximum length of a query, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 1_000;

/** Maximum number of clauses and free words together; every word of a phrase counts. */
export const MAX_CLAUSES = 16;

/** Maximum number of starts of words: each is looked up as all words that start so. */
export const MAX_STARTS = 4;

/** Maximum number of corrections of a query: each is parsed once, to prove it. */
const MAX_CORRECTIONS = 4;

/** What finds all records in other engines. */
const EVERYTHING_ELSEWHERE = /^[*:\s]*\*[*:\s]*$/;

/**
 * Parses a query: `field:value` clauses, free words and `"phrases"`; a preceding `-` excludes, and `OR` between two joins
 * them as alternatives. An unquoted value extends to the next ` word:` or the end; that of a kind, id, date and the like
 * is one word or range. An unclosed quote extends to the end.
 *
 * @param q the query, URL-decoded
 * @param kind the kind of the wanted records, if the query need not name it
 * @throws QueryError if the query is invalid; its corrections are valid
 */
export function parseQuery(q: string, kind?: Kind): Query {
  try {
    return parse(q, kind);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const likely = EVERYTHING_ELSEWHERE.test(q) ? [EVERYTHING] : [...new Set(error.corrections)];
    const tried = likely.slice(0, MAX_CORRECTIONS);
    throw new QueryError(
      error.fault,
      tried.filter((each) => isValid(each, kind)),
    );
  }
}

function isValid(q: string, kind: Kind | undefined): boolean {
  try {
    parse(q, kind);
    return true;
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

function parse(q: string, kind?: Kind): Query {
  return queryOf(q, parseTerms(q), kind);
}

/**
 * The query of some terms.
 *
 * @param q the text that has them
 * @param kind as for `parseQuery`
 * @throws QueryError if no record can match, or there is nothing to search for
 */
export function queryOf(q: string, groups: readonly Term[][], kind?: Kind): Query {
  const wanted = wantedKind(q, groups, kind);
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
    const few = withFewInitials([...new Set(phrases)], MAX_STARTS);
    query.clauses.push({ type: 'text', phrases: few, typed });
  }
  if (query.clauses.length + query.excluded.length > 0) return query;
  throw new QueryError(
    groups.length > 0 ? { reason: 'nothing-searchable', value: q.trim() } : { reason: 'empty-query' },
  );
}

/** The clause of a term; with kind `event`, fields of locations mean the location of the event. */
function clauseFor(kind: Kind | undefined, term: Term): Clause | undefined {
  const { clause } = term;
  return clause && kind === 'event' && isOfLocations(term) ? { type: 'at-location', clause } : clause;
}

/** An excluded clause needs no score for the name. */
function withoutName(clause: Clause): Clause {
  return clause.type === 'text' ? { ...clause, typed: '' } : clause;
}

/**
 * Parses the terms of a query: groups of alternatives, mostly of one term.
 *
 * @throws QueryError if terms are invalid, or there are too many: all faults of terms are corrected together
 */
export function parseTerms(q: string): Term[][] {
  if (q.length > MAX_QUERY_LENGTH) {
    throw new QueryError({ reason: 'too-long', characters: q.length, limit: MAX_QUERY_LENGTH });
  }
  const terms: Terms = { groups: [], size: 0, starts: 0 };
  const faults: TermFault[] = [];
  const reader = new QueryReader(q);
  while (!reader.atEnd() && faults.length <= MAX_CLAUSES) {
    const start = reader.at;
    try {
      readInto(terms, reader, q, faults.length > 0);
    } catch (error) {
      if (!(error instanceof TermFault)) throw error;
      faults.push(error);
      if (reader.at === start) break;
    }
  }
  const [first] = faults;
  if (!first) return terms.groups;
  throw new QueryError(
    first.fault,
    first.changes.map((change) => mended(q, change, faults.slice(1))),
  );
}

/** What was read of a query. */
interface Terms {
  groups: Term[][];
  /** The number of words and clauses. */
  size: number;
  /** The number of starts of words. */
  starts: number;
}

/** The query with a change, and the likeliest of each further fault that is not in its place. */
function mended(q: string, change: Change, further: readonly TermFault[]): string {
  let [text, at] = ['', 0];
  const make = ({ start, end, text: instead }: Change) => {
    text += q.slice(at, start) + instead;
    at = end;
  };
  make(change);
  for (const { changes } of further) {
    const next = changes.find(({ start }) => start >= at);
    if (next) make(next);
  }
  return (text + q.slice(at)).replace(/\s+/g, ' ').trim();
}

/**
 * Reads the next term.
 *
 * @param isAfterFault whether invalid terms come before it
 * @throws TermFault if it is invalid, or there are too many: reading can go on after it
 */
function readInto(terms: Terms, reader: QueryReader, q: string, isAfterFault: boolean): void {
  const { groups } = terms;
  const alternatives = groups.at(-1);
  reader.begin();
  const end = reader.at;
  const isBetween = isAfterFault || alternatives !== undefined;
  const { isAlternative, isExcluded, start } = readOperators(reader, q, isBetween);
  const term = readTerm(reader, q, groups, { start, isExcluded });
  terms.size += sizeOf(term);
  if (isStart(term)) terms.starts += 1;
  if (terms.size > MAX_CLAUSES) throw new TermFault({ reason: 'too-many-clauses', limit: MAX_CLAUSES });
  if (terms.starts > MAX_STARTS) throw new TermFault({ reason: 'too-many-starts', limit: MAX_STARTS });
  if (!alternatives || !isAlternative) groups.push([term]);
  else if (isExcluded || alternatives[0]?.isExcluded) {
    throw new TermFault({ reason: 'excluded-alternative' }, [{ start: end, end: start, text: ' ' }]);
  } else alternatives.push(term);
}

/** Reads the operators before a term. @throws TermFault unless they are one, `AND` or `OR` with `NOT`, or none */
function readOperators(reader: QueryReader, q: string, isBetween: boolean) {
  const start = reader.at;
  const foreign = reader.foreignOperator();
  if (foreign !== undefined) {
    const instead = FOREIGN_OPERATORS[foreign] ?? '';
    const texts = [`${instead} `, foreign.toLowerCase()];
    throw reader.refuse({ reason: 'misplaced-operator', operators: foreign }, texts);
  }
  const operators = reader.operators();
  const end = reader.at;
  const [joining, signs] = [operators.filter(isJoining), operators.filter((each) => !isJoining(each))];
  const isMisplaced =
    joining.length > 1 || signs.length > 1 || (joining.length > 0 && (!isBetween || signs[0] === '+'));
  const isLast = operators.length > 0 && reader.atEnd();
  if (isMisplaced || isLast) {
    const [typed, rest] = [q.slice(start, end).trim(), isLast ? '' : `${signs.includes('NOT') ? '-' : ''}`];
    const joined = isBetween && !isLast && joining.includes('OR') && rest === '' ? 'OR ' : rest;
    throw reader.refuse({ reason: 'misplaced-operator', operators: typed }, [joined, `"${typed}" `]);
  }
  const isExcluded = signs[0] === 'NOT';
  // The text of an excluded term has its sign; that of another one begins after the operators.
  const own = isExcluded ? q.slice(start, end).search(/(?:NOT\s+|\S)$/) : end - start;
  return { isAlternative: joining[0] === 'OR', isExcluded, start: start + own };
}

function isJoining(operator: string): boolean {
  return operator === 'AND' || operator === 'OR';
}

function readTerm(
  reader: QueryReader,
  q: string,
  groups: readonly Term[][],
  { start, isExcluded }: Pick<Term, 'start' | 'isExcluded'>,
): Term {
  const at = reader.at;
  reader.mark();
  const name = reader.field();
  if (name === undefined) {
    refuseRelation(reader, isExcluded, start);
    const { clause, typed } = readWords(reader, q);
    return { start, end: reader.at, isExcluded, ...(clause && { clause }), typed };
  }
  const before = groups.at(-1)?.at(-1);
  // `last name:` would be the field `name` after a word.
  if (before && !before.field && searchField(`${before.typed}_${name}`.toLowerCase())) {
    reader.mark(before.start);
    throw unknownField(`${before.typed} ${name}`, reader, q, before.start);
  }
  const field = searchField(name.toLowerCase());
  if (!field) throw unknownField(name, reader, q, at, groups);
  const clause = parseClause(field, reader);
  return { start, end: reader.at, isExcluded, field, clause, typed: '' };
}

/** @throws TermFault for the name of a field with another sign than a colon, such as `last_name=vries` */
function refuseRelation(reader: QueryReader, isExcluded: boolean, start: number): void {
  const at = reader.at;
  const relation = reader.relation();
  if (!relation) return;
  const { name, operator, operatorAt, isSpaced } = relation;
  const names = fieldsCalled(name);
  if (names.length === 0 && (isSpaced || !/^[=：]/.test(operator))) {
    reader.goTo(at);
    return;
  }
  const fault = { reason: 'foreign-syntax', text: name + operator, use: 'colon' } as const;
  const plain = reader.changeTo(`${name} `);
  const isNot = operator === '!=' || operator === '<>';
  // The value of a date has its sign.
  if (/^(?:[<>]=?|[≤≥])$/.test(operator)) reader.goTo(operatorAt);
  reader.mark(isNot ? start : at);
  const sign = isNot && !isExcluded ? '-' : '';
  throw new TermFault(fault, [...correctedTo(names, reader, sign), plain]);
}

/**
 * Changes from `mark` on to each of some fields, with the value that is read; if that is invalid, to valid ones in its place.
 *
 * @param sign before the field
 */
function correctedTo(names: readonly string[], reader: QueryReader, sign = ''): Change[] {
  const at = reader.at;
  let end = at;
  const changes = names.flatMap((name) => {
    const field = searchField(name);
    const change = reader.changeTo(`${sign}${name}:`);
    try {
      if (field) parseClause(field, reader);
      return change;
    } catch (error) {
      if (!(error instanceof TermFault)) throw error;
      return error.changes;
    } finally {
      end = Math.max(end, reader.at);
      reader.goTo(at);
    }
  });
  reader.goTo(end);
  return changes;
}

/** Reads a word or phrase; a final `*` of a word stands for the rest of it. */
function readWords(reader: QueryReader, q: string): Pick<Term, 'clause' | 'typed'> {
  const single = reader.singleQuoted();
  if (single !== undefined) {
    throw reader.refuse({ reason: 'foreign-syntax', text: single, use: 'quote' }, [`"${single}"`, single]);
  }
  const { text, isQuoted } = reader.wordOrPhrase();
  if (!isQuoted && BRACKET.test(text)) {
    const own = reader.refuse({ reason: 'foreign-syntax', text, use: 'bracket' }, [withoutBrackets(text)]);
    const all = { start: 0, end: q.length, text: withoutBrackets(q) };
    throw new TermFault(own.fault, [all, ...own.changes]);
  }
  const foreign = isQuoted ? undefined : foreignWord(text);
  if (foreign) throw reader.refuse({ reason: 'foreign-syntax', text, use: foreign.use }, foreign.instead);
  const words = wordsOf(text);
  if (words.length === 0) return { typed: text };
  const isStart = !isQuoted && text.endsWith('*');
  const typed = isStart ? text.slice(0, -1) : text;
  const named = isQuoted || isStart ? undefined : phrasesOfName(text, q);
  const phrases = named ?? [words.join(' ') + (isStart ? '*' : '')];
  return { clause: { type: 'text', phrases, typed: fold(typed) }, typed };
}

/** The fault of an unknown field, corrected to a known one, and to its text in quotes: of a title, a URL or a DOI. */
function unknownField(
  name: string,
  reader: QueryReader,
  q: string,
  at: number,
  groups: readonly Term[][] = [],
): TermFault {
  const fields = SEARCH_FIELDS.map((known) => known.name);
  const called = fieldsCalled(name);
  const fault = { reason: 'unknown-field' as const, field: name.toLowerCase(), nearest: called[0], fields };
  const valueAt = reader.at;
  const changes = correctedTo(called, reader);
  const end = reader.at;
  reader.goTo(valueAt);
  const isTitle = /^(?:\s|$)/.test(q.slice(valueAt));
  const start = isTitle ? titleStart(q, at, groups) : at;
  const value = isTitle ? reader.words() : reader.wordOrPhrase().text;
  const text = isTitle ? q.slice(start, reader.at) : `${name}:${value}`;
  reader.mark(start);
  const quoted = reader.changeTo(`"${text.replace(QUOTE, '').trim()}"`);
  if (changes.length > 0) reader.goTo(end);
  return new TermFault(fault, [...changes, quoted]);
}

/** Where the title begins that has a colon: at the first of the words before it, or of the value of a field. */
function titleStart(q: string, at: number, groups: readonly Term[][]): number {
  let start = at;
  for (const terms of groups.toReversed()) {
    const [term] = terms;
    const isWord = term && terms.length === 1 && !term.isExcluded;
    if (!isWord || q.slice(term.start, term.end).search(QUOTE) >= 0) break;
    if (term.field && EXTENTS[term.field.matching] !== 'to the next field') break;
    if (term.field) return start === at ? q.indexOf(':', term.start) + 1 : start;
    start = term.start;
  }
  return start;
}

/** The number of words and clauses. */
function sizeOf({ field, clause, typed }: Term): number {
  if (!field) return wordsOf(typed).length;
  return clause?.type === 'words' ? clause.phrases.flatMap((phrase) => phrase.split(' ')).length : 1;
}

/** Whether a term is the start of words. */
function isStart({ clause }: Term): boolean {
  return (
    (clause?.type === 'text' || clause?.type === 'words') &&
    clause.phrases.some((phrase) => phrase.endsWith('*'))
  );
}
