/** What is wrong with a query, in a form that can be worded in any language. */
export type QueryFault =
  | { reason: 'empty-query' }
  | { reason: 'too-long'; characters: number; limit: number }
  | { reason: 'too-many-clauses'; limit: number }
  | { reason: 'unknown-field'; field: string; nearest: string | undefined; fields: readonly string[] }
  | { reason: 'empty-value'; field: string }
  | { reason: 'unknown-kind'; value: string; kinds: readonly string[] }
  | { reason: 'malformed-range'; field: string; value: string }
  | { reason: 'inverted-range'; field: string; value: string }
  | { reason: 'unknown-value'; field: string; value: string; values: readonly string[] }
  | { reason: 'malformed-century'; field: string; value: string }
  | { reason: 'malformed-circle'; field: string; value: string }
  | { reason: 'malformed-box'; field: string; value: string }
  | { reason: 'malformed-reference'; field: string; value: string }
  | { reason: 'nothing-searchable'; value: string };

/**
 * A query that cannot be answered as it stands: the one who asked has to change it. Its message is for a log; the
 * sentences that people read are those of the problem that it becomes.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly fault: QueryFault;

  constructor(fault: QueryFault) {
    const { reason, ...facts } = fault;
    super(`q: ${reason} ${JSON.stringify(facts)}`);
    this.fault = fault;
  }
}
