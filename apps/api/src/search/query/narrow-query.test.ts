import { expect, it } from 'vitest';
import { type FacetName, narrowedQuery } from '../fields/facets.ts';
import { createNarrowing } from './narrow-query.ts';
import { parseQuery } from './parse-query.ts';
import { ALL_RECORDS, type Query, QueryError } from './query.ts';

const VALUES: readonly (readonly [FacetName, ...string[]])[] = [
  ['kind', 'person', 'event', 'location', 'subject'],
  ['century', '17', '9'],
  ['city', 'Leiden', 'Den Haag', "'s-Gravenhage", 'a"b', 'LEIDEN', '(a', ''],
  ['subject', '29e9426c-179d-5d28-89af-f3ecfaec9a73'],
  ['gender', 'male', 'Man', 'm/f', 'm,f', 'not known', 'a*'],
];

const QUERIES = [
  '',
  'vos',
  'kind:event',
  'kind:person city:Leiden OR title:x',
  'kind:event city:="Leiden"',
  '-city:="Leiden" vos',
  '-kind:person',
  'gender:man',
  'gender:male -gender:female',
  'VOC schip',
  'VOC Schip',
  'JP CALKOEN',
  'DELFT EN LEIDEN',
  '..x',
  ' .. x',
  'city:Leiden',
  'name:kerk',
  'name:kerk OR birth_place:x',
  '"de ring',
  '= x',
  ', x',
  'NOT de',
  'century:17 kind:person',
  'near:52.37,4.89,500m',
  'subject:29e9426c-179d-5d28-89af-f3ecfaec9a73',
  'a b c d e f g h i j k l m n o',
  'a b c d e f g h i j k l m n o p',
  `"${'a'.repeat(985)}"`,
  `"${'a'.repeat(998)}"`,
];

/** What a query narrowed by a value is, as it parses. */
function narrowedBy(q: string, query: Query, facet: FacetName, value: string): string | null {
  const narrowed = narrowedQuery(q, facet, value);
  if (narrowed === undefined) return null;
  try {
    const { clauses, excluded } = parseQuery(narrowed);
    const [added, ...kept] = clauses.map((clause) => JSON.stringify(clause));
    const own = query.clauses.map((clause) => JSON.stringify(clause));
    if (own.some((each) => each === added)) return q;
    const isSame = `${kept}` === `${own}` && JSON.stringify(excluded) === JSON.stringify(query.excluded);
    return isSame ? narrowed : null;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

it.each(QUERIES)('%j is narrowed only to queries that parse to it and the value', (q) => {
  const query = q === '' ? ALL_RECORDS : parseQuery(q);
  const narrow = createNarrowing(q, query);
  for (const [facet, ...values] of VALUES) {
    for (const value of values) {
      expect(narrow(facet, value), `${facet}:${value}`).toBe(narrowedBy(q, query, facet, value));
    }
  }
});
