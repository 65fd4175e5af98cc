import { KINDS, type Kind } from '@archiefkast/types';
import { z } from 'zod';
import { Problem } from '../../http/problems.ts';
import {
  type Clause,
  MATCHED_PROPERTIES,
  parseTerms,
  type Query,
  QueryError,
  type SoughtRecord,
} from '../../search/index.ts';

/** Limit of the queries of a batch, and of the candidates of each. */
export const MOST_QUERIES = 50;
const MOST_CANDIDATES = 20;
const CANDIDATES = 5;
/** Limit of the values of the properties of a query. */
const MOST_VALUES = 20;
/** Limit of the length of a name or value, in UTF-16 code units. */
const LONGEST_VALUE = 500;

/** A query of a batch as it is answered, or what is wrong with it. */
export type ReadQuery = (SoughtRecord & { limit: number }) | { message: string };

/** A value of a property: of a matched record, its name. */
const valueSchema = z.union([
  z.string(),
  z.number().transform(String),
  z.boolean().transform(String),
  z.object({ id: z.string(), name: z.string().optional() }).transform(({ id, name }) => name ?? id),
]);

const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema.transform((one) => [one]), z.array(schema)]);

/**
 * A query by the text of the Reconciliation API 0.2. What the service may ignore is ignored: other types and properties than its own,
 * values that are longer than any of the archive, and candidates above its limit.
 */
const querySchema = z
  .object({
    query: z.string().max(LONGEST_VALUE).default(''),
    type: listOf(z.string()).default([]),
    limit: z.int().min(1).default(CANDIDATES),
    properties: z.array(z.object({ pid: z.string(), v: listOf(valueSchema) })).default([]),
  })
  .refine(({ query, properties }) => query !== '' || properties.length > 0, 'expected query or properties')
  .transform(({ query, type, limit, properties }) => {
    const kinds = KINDS.filter((kind) => type.includes(kind));
    let left = MOST_VALUES;
    const known = properties.flatMap(({ pid, v }) => {
      const values = v.filter((value) => value.length <= LONGEST_VALUE).slice(0, left);
      if (!Object.hasOwn(MATCHED_PROPERTIES, pid) || values.length === 0) return [];
      left -= values.length;
      return { name: pid, values };
    });
    return {
      name: query.trim(),
      kinds: kinds.length > 0 ? kinds : KINDS,
      limit: Math.min(limit, MOST_CANDIDATES),
      properties: known,
    };
  });

const EXPECTED_QUERIES = `queries={"q0":{"query":"Jan Calkoen","type":"person","properties":[{"pid":"birth_date","v":"1694"}]}}, with types ${KINDS.join(', ')} and properties ${Object.keys(MATCHED_PROPERTIES).join(', ')}`;

/** Reads the queries of a batch by name. @throws Problem if it is no batch, or has too many */
export function readBatch(text: string): [name: string, query: ReadQuery][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid-queries', 'The parameter "queries" is not JSON.', EXPECTED_QUERIES);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('invalid-queries', 'The parameter "queries" is not an object.', EXPECTED_QUERIES);
  const queries = Object.entries(value);
  if (queries.length > MOST_QUERIES) {
    const detail = `The batch has ${queries.length} queries.`;
    throw new Problem('too-many-queries', detail, `at most ${MOST_QUERIES} queries`);
  }
  return queries.map(([name, query]) => {
    const { data, error } = querySchema.safeParse(query);
    return [name, data ?? { message: z.prettifyError(error) }];
  });
}

/** The search for records of some kinds that have all properties; undefined if none of their values can be sought. */
export function queryOfProperties(
  kinds: readonly Kind[],
  properties: SoughtRecord['properties'],
): Query | undefined {
  const sought = properties.flatMap(({ name, values }): Clause[] => {
    const clauses = values.flatMap((value) => clauseOfValue(name, value));
    return clauses.length === 0 ? [] : [{ type: 'any', clauses }];
  });
  if (sought.length === 0) return undefined;
  const ofKinds = kinds.map((kind): Clause => ({ type: 'kind', kind }));
  return { clauses: [{ type: 'any', clauses: ofKinds }, ...sought], excluded: [] };
}

function clauseOfValue(name: string, value: string): Clause[] {
  try {
    return parseTerms(`${name}:"${value.replaceAll('"', ' ')}"`).flatMap((terms) =>
      terms.flatMap(({ clause }) => clause ?? []),
    );
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}
