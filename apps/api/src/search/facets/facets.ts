import type { Kind } from '@archiefkast/types';

/** What hits can be counted by. */
export const FACETS = ['kind', 'century', 'city', 'subject', 'gender'] as const;

/** What hits can be counted by. */
export type FacetName = (typeof FACETS)[number];

/** Facets whose values are in a column of some kinds. */
export const COLUMN_FACETS: Readonly<Record<Exclude<FacetName, 'kind' | 'subject'>, readonly Kind[]>> = {
  century: ['person', 'event'],
  city: ['location'],
  gender: ['person'],
};

/** Whether hits are counted by a field of a kind: the index then has its values by number. */
export function hasCodes(kind: Kind, name: string): boolean {
  return Object.entries(COLUMN_FACETS).some(([facet, kinds]) => facet === name && kinds.includes(kind));
}

const QUOTES = /["“”„]/;

/**
 * The query whose hits are those of `q` that have a value; undefined where none can say so, since the value holds a
 * quote.
 *
 * @param q the query that is narrowed; `""` for all records
 */
export function narrowedQuery(q: string, facet: FacetName, value: string): string | undefined {
  if (QUOTES.test(value)) return undefined;
  return `${clauseOf(facet, value)} ${q}`.trim();
}

/** The clause goes before the query, where nothing that is left open can swallow it. */
function clauseOf(facet: FacetName, value: string): string {
  if (facet === 'city') return `city:="${value}"`;
  return /\s/.test(value) ? `${facet}:"${value}"` : `${facet}:${value}`;
}
