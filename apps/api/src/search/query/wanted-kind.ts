import { KINDS, type Kind } from '@archiefkast/types';
import { type Matching, type SearchField, searchField } from '../fields/search-fields.ts';
import { type Clause, QueryError, type Term } from './query.ts';
import { join } from './term-texts.ts';

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
  const single = groups.filter(([term, ...others]) => term?.clause && others.length === 0).flat();
  const demanded = single.filter(({ isExcluded }) => !isExcluded);
  refuseSeveral(q, groups, demanded);
  refuseContradiction(q, demanded, single);
  const ofKinds = demanded.filter(({ clause }) => clause?.type === 'kind');
  const [kind = path] = ofKinds.flatMap(({ clause }) => (clause?.type === 'kind' ? clause.kind : []));
  const group = kind && groups.find((terms) => !terms.some((each) => canMatch(path ?? kind, each)));
  const [term] = group ?? [];
  if (kind && term?.field) {
    const corrections = [
      ...withTwins(q, term),
      ...(path ? [] : kindsOf(term).map((each) => replaced(q, ofKinds, `kind:${each}`))),
    ];
    const { name } = term.field;
    throw new QueryError(
      { reason: 'other-kind', field: name, kinds: kindsOf(term), kind: path ?? kind },
      corrections,
    );
  }
  if (!kind) refuseApart(q, groups);
  return path ?? kind;
}

/** @throws QueryError if several values are demanded of a field of which a record has one */
function refuseSeveral(q: string, groups: readonly Term[][], demanded: readonly Term[]): void {
  for (const { field } of demanded) {
    if (!field || !SINGLE.includes(field.matching)) continue;
    const same = demanded.filter((each) => each.field === field);
    const values = [...new Set(same.map(({ clause }) => singleValue(clause)))];
    if (values.length < 2) continue;
    const either = values.map((each) => `${field.name}:${each}`).join(' OR ');
    const fault = { reason: 'several-values' as const, field: field.name, values };
    throw new QueryError(fault, [`${either} ${without(q, groups, same)}`.trim()]);
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
    throw new QueryError({ reason: 'contradiction', text: q.slice(start, end) });
  }
}

function isSame(a: Term, b: Term): boolean {
  return JSON.stringify(a.clause) === JSON.stringify(b.clause);
}

function areApart({ clause: a }: Term, { clause: b }: Term): boolean {
  if (a?.type !== 'range' || b?.type !== 'range' || a.field !== b.field) return false;
  return a.range.to < b.range.from || b.range.to < a.range.from;
}

/** @throws QueryError if no kind of record can match all groups */
function refuseApart(q: string, groups: readonly Term[][]): void {
  if (kindsOfAll(groups).length > 0) return;
  let kinds: readonly Kind[] = KINDS;
  const apart: Term[][] = [];
  for (const terms of groups) {
    if (kinds.length === 0) break;
    const both = kinds.filter((kind) => kindsOfAny(terms).includes(kind));
    if (both.length < kinds.length) apart.push(terms);
    kinds = both;
  }
  const fields = apart.flat();
  const names = [...new Set(fields.flatMap(({ field }) => field?.name ?? []))];
  const isTogether = (term: Term, field: SearchField) =>
    kindsOfAll(groups.map((terms) => terms.map((each) => (each === term ? { ...term, field } : each))))
      .length > 0;
  throw new QueryError({ reason: 'kinds-apart', fields: names }, [
    ...(groups.every((each) => each.some((term) => canMatch('event', term))) ? [`kind:event ${q}`] : []),
    ...fields.toReversed().flatMap((term) => withTwins(q, term, (field) => isTogether(term, field))),
  ]);
}

/** The query with a field of the same meaning for other kinds in the place of one; only those that `isFit`. */
function withTwins(q: string, term: Term, isFit: (field: SearchField) => boolean = () => true): string[] {
  const value = q.slice(q.indexOf(':', term.start), term.end);
  const twins = (TWINS[term.field?.name ?? ''] ?? []).flatMap((name) => searchField(name) ?? []);
  return twins.filter(isFit).map(({ name }) => replaced(q, [term], name + value));
}

/** The query without some terms that stand alone. */
function without(q: string, groups: readonly Term[][], terms: readonly Term[]): string {
  return join(
    q,
    groups.filter(([term]) => !term || !terms.includes(term)),
  );
}

/** The kinds of the records that can match all groups. */
function kindsOfAll(groups: readonly Term[][]): Kind[] {
  return KINDS.filter((kind) => groups.every((terms) => kindsOfAny(terms).includes(kind)));
}

/** The kinds of the records that can match one of some terms. */
function kindsOfAny(terms: readonly Term[]): readonly Kind[] {
  return terms.flatMap((term) => (term.isExcluded ? KINDS : kindsOf(term)));
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
