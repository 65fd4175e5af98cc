import { KINDS, type Kind } from '@archiefkast/types';
import type { Matching } from '../fields/search-fields.ts';
import { type Clause, QueryError, type Term } from './query.ts';

/** Fields with the same meaning for other kinds. */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  title: ['name'],
  last_name: ['name'],
  name: ['title'],
  date: ['birth_date', 'death_date'],
  birth_date: ['date'],
  death_date: ['date'],
  birth_place: ['place', 'city'],
  death_place: ['place', 'city'],
  street: ['place'],
  city: ['place'],
};

/** The matchings of fields of which a record has one value. */
const SINGLE: readonly Matching[] = ['kind', 'number', 'whole'];

/**
 * The kind that the query demands; undefined if it demands none.
 *
 * @param path the kind of the wanted records, whatever the query demands
 * @throws QueryError if no record can match: fields of different kinds, several values where a record has one
 */
export function wantedKind(q: string, groups: readonly Term[][], path: Kind | undefined): Kind | undefined {
  const single = groups.flatMap((terms) => (terms.length === 1 ? terms : []));
  const demanded = single.filter(({ isExcluded }) => !isExcluded);
  refuseSeveral(q, demanded);
  refuseContradiction(q, demanded, single);
  const ofKinds = demanded.filter(({ clause }) => clause?.type === 'kind');
  const [kind = path] = ofKinds.flatMap(({ clause }) => (clause?.type === 'kind' ? clause.kind : []));
  const [term] = groups.find((terms) => terms.every((each) => kind && !canMatch(path ?? kind, each))) ?? [];
  if (kind && term?.field) {
    const corrections = [
      ...withTwins(q, term),
      ...(path ? [] : kindsOf(term).map((each) => replaced(q, ofKinds, `kind:${each}`))),
    ];
    const fallbacks = [replaced(q, [term], path ? `kind:${path}` : '')];
    const { name } = term.field;
    throw new QueryError(
      { reason: 'other-kind', field: name, kinds: kindsOf(term), kind: path ?? kind },
      corrections,
      fallbacks,
    );
  }
  if (!kind) refuseApart(q, groups);
  return path ?? kind;
}

/** @throws QueryError if several values are demanded of a field of which a record has one */
function refuseSeveral(q: string, demanded: readonly Term[]): void {
  for (const { field } of demanded) {
    if (!field || !SINGLE.includes(field.matching)) continue;
    const same = demanded.filter((each) => each.field === field);
    const values = [...new Set(same.map(({ clause }) => singleValue(clause)))];
    if (values.length < 2) continue;
    const either = values.map((each) => `${field.name}:${each}`).join(' OR ');
    const fault = { reason: 'several-values' as const, field: field.name, values };
    throw new QueryError(fault, [`${either} ${replaced(q, same, '')}`.trim()]);
  }
}

function singleValue(clause: Clause | undefined): string {
  if (clause?.type === 'kind') return clause.kind;
  if (clause?.type === 'any') return singleValue(clause.clauses.at(-1));
  return clause?.type === 'value' ? clause.value : '';
}

/** @throws QueryError if what is demanded is excluded too, or two ranges of a date have no day in common */
function refuseContradiction(q: string, demanded: readonly Term[], single: readonly Term[]): void {
  for (const term of single) {
    const { isExcluded, start, end } = term;
    if (!demanded.some((other) => (isExcluded ? isSame(term, other) : areApart(term, other)))) continue;
    throw new QueryError({ reason: 'contradiction', text: q.slice(start, end) }, [replaced(q, [term], '')]);
  }
}

function isSame(a: Term, b: Term): boolean {
  return a.clause !== undefined && JSON.stringify(a.clause) === JSON.stringify(b.clause);
}

function areApart({ clause: a }: Term, { clause: b }: Term): boolean {
  if (a?.type !== 'range' || b?.type !== 'range' || a.field !== b.field) return false;
  return a.range.to < b.range.from || b.range.to < a.range.from;
}

/** @throws QueryError if no kind of record can match all groups */
function refuseApart(q: string, groups: readonly Term[][]): void {
  let kinds: readonly Kind[] = KINDS;
  const fields: Term[] = [];
  for (const terms of groups) {
    const own = terms.flatMap((term) => (term.isExcluded ? KINDS : kindsOf(term)));
    const both = kinds.filter((kind) => own.includes(kind));
    if (both.length < kinds.length) fields.push(...terms);
    kinds = both;
    const [last] = terms;
    if (kinds.length > 0 || !last) continue;
    const names = [...new Set(fields.flatMap(({ field }) => field?.name ?? []))];
    throw new QueryError({ reason: 'kinds-apart', fields: names }, [
      ...(groups.every((each) => each.some((term) => canMatch('event', term))) ? [`kind:event ${q}`] : []),
      ...fields.toReversed().flatMap((term) => withTwins(q, term)),
      ...fields.map((term) => replaced(q, [term], '')),
    ]);
  }
}

/** The query with a field of the same meaning for other kinds in the place of one. */
function withTwins(q: string, term: Term): string[] {
  const value = q.slice(q.indexOf(':', term.start), term.end);
  return (TWINS[term.field?.name ?? ''] ?? []).map((twin) => replaced(q, [term], twin + value));
}

/** The kinds of the records that a term can find. */
function kindsOf({ field, clause }: Term): readonly Kind[] {
  if (clause?.type === 'kind') return [clause.kind];
  const isOfCoordinates = field?.name === 'has' && singleValue(clause) === 'coordinates';
  return isOfCoordinates ? ['location'] : (field?.kinds ?? KINDS);
}

/** Whether records of a kind can match a term; events can match what their locations can. */
function canMatch(kind: Kind, term: Term): boolean {
  const kinds = kindsOf(term);
  return term.isExcluded || kinds.includes(kind) || (kind === 'event' && isOfLocations(term));
}

/** Whether only locations can match a term: with `kind:event`, it means the location of the event. */
export function isOfLocations(term: Term): boolean {
  return term.clause?.type !== 'kind' && kindsOf(term).every((kind) => kind === 'location');
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
