import type { Kind } from '@archiefkast/types';
import { namedQueries, parseQuery, type Query, QueryError } from '../search/index.ts';
import type { OpenEdition } from './open-editions.ts';

/** What is asked besides a query. */
export interface QueryContext {
  /** The kind of the wanted records, if the query need not name it. */
  kind?: Kind;
  /** Adds other conditions and an order. */
  complete?: (query: Query) => Query;
  signal?: AbortSignal;
}

/**
 * Reads a query. One that is invalid or finds nothing is the name of records, if there are any that are called so; any other one
 * means what it says.
 *
 * @returns the complete query
 * @throws QueryError if the query is invalid; its corrections find something. SearchTimeout
 */
export async function readQuery(
  { search }: OpenEdition,
  q: string,
  { kind, complete = (query) => query, signal }: QueryContext = {},
): Promise<Query> {
  const finds = async (query: Query): Promise<boolean> =>
    (await search.ask((index) => index.search(query, 0, 0, signal))).count > 0;
  const parsed = parsedOrFault(q, kind);
  const readings = parsed instanceof QueryError ? [] : [parsed];
  for (const reading of [...readings, ...namedQueries(q)]) {
    const query = complete(reading);
    if (await finds(query)) return query;
  }
  if (!(parsed instanceof QueryError)) return complete(parsed);
  const { fault, corrections } = parsed;
  const found = await Promise.all(corrections.map((each) => finds(complete(parseQuery(each, kind)))));
  throw new QueryError(
    fault,
    corrections.filter((_, at) => found[at]),
  );
}

function parsedOrFault(q: string, kind: Kind | undefined): Query | QueryError {
  try {
    return parseQuery(q, kind);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}
