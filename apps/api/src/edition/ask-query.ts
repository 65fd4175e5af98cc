import type { Kind } from '@archiefkast/types';
import { namedQueries, parseQuery, type Query, QueryError } from '../search/index.ts';
import type { OpenEdition } from './open-editions.ts';

/** What is asked besides a query. */
export interface QueryContext {
  /** The kind of the wanted records, if the query need not name it. */
  kind?: Kind;
  /** What may be the name of records, if not all of the query. */
  name?: string;
  /** Adds other conditions and an order. */
  complete?: (query: Query) => Query;
  signal?: AbortSignal;
}

/** What was asked of the records that a complete query finds. */
interface Answered<Found> {
  query: Query;
  found: Found;
}

/** Counts the hits of queries. */
export function counterOf({ search }: OpenEdition, signal?: AbortSignal) {
  return (query: Query) => search.ask((index) => index.search(query, 0, 0, signal));
}

/**
 * Reads a query, and asks what is wanted of it. One that is invalid or finds nothing is the name of records, if there are any that are
 * called so; any other one means what it says.
 *
 * @param ask asks of a complete query, with its number of hits
 * @throws QueryError if the query is invalid; its corrections find something. SearchTimeout
 */
export async function askQuery<Found extends { count: number }>(
  open: OpenEdition,
  q: string,
  ask: (query: Query) => Promise<Found>,
  { kind, name = q, complete = (query) => query, signal }: QueryContext = {},
): Promise<Answered<Found>> {
  const parsed = parsedOrFault(q, kind);
  const asks = async (reading: Query) => {
    const query = complete(reading);
    return { query, found: await ask(query) };
  };
  const first = parsed instanceof QueryError ? parsed : await asks(parsed);
  if (!(first instanceof QueryError) && first.found.count > 0) return first;
  for (const reading of namedQueries(name)) {
    const named = await asks(reading);
    if (named.found.count > 0) return named;
  }
  if (!(first instanceof QueryError)) return first;
  const { fault, corrections } = first;
  const count = counterOf(open, signal);
  const found = await Promise.all(corrections.map((each) => count(complete(parseQuery(each, kind)))));
  throw new QueryError(
    fault,
    corrections.filter((_, at) => found[at]?.count),
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
