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
  | { reason: 'nothing-searchable'; value: string };

/** A query that cannot be answered as it stands: the one who asked has to change it. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly fault: QueryFault;

  constructor(fault: QueryFault) {
    super(describe(fault));
    this.fault = fault;
  }
}

/** The fault in an English sentence. */
function describe(fault: QueryFault): string {
  switch (fault.reason) {
    case 'empty-query':
      return 'q: expected words or field:value.';
    case 'too-long':
      return `q: expected at most ${fault.limit} characters, got ${fault.characters}.`;
    case 'too-many-clauses':
      return `q: expected at most ${fault.limit} words and clauses.`;
    case 'unknown-field':
      return `q: there is no field "${fault.field}"${didYouMean(fault.nearest)} Fields: ${fault.fields.join(', ')}.`;
    case 'empty-value':
      return `q: expected a value after "${fault.field}:".`;
    case 'unknown-kind':
      return `q: kind: expected one of ${fault.kinds.join(', ')}, got "${fault.value}".`;
    case 'malformed-range':
      return `q: ${fault.field}: expected a range of years or dates such as 1620..1650, 1620.. or 1620-03-01..1620-04, got "${fault.value}".`;
    case 'inverted-range':
      return `q: ${fault.field}: the range "${fault.value}" ends before it begins.`;
    case 'nothing-searchable':
      return `q: "${fault.value}" holds no letter or digit to search for.`;
  }
}

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
}
