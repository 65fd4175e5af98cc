/** What requests need: queries, and what they find. Files of indexes are made, opened and followed by `derived/` alone. */

export { FACETS, type FacetName, facetLabel } from './fields/facets.ts';
export { fold, sortedText, wordsOf } from './fields/fold.ts';
export { endsBetween, relationNamed } from './fields/relations.ts';
export { hasSuggestions, type Matching, SEARCH_FIELDS } from './fields/search-fields.ts';
export { readBox } from './query/box.ts';
export {
  conditionsOf,
  DATE_FIELDS,
  type DateField,
  isFreeText,
  rangeOf,
  withRange,
} from './query/edit-query.ts';
export { namedQueries } from './query/named-queries.ts';
export { clauseOf, createNarrowing } from './query/narrow-query.ts';
export { MAX_QUERY_LENGTH, parseQuery, parseTerms } from './query/parse-query.ts';
export {
  ALL_RECORDS,
  type Box,
  type Clause,
  type ForeignUse,
  type Order,
  type Query,
  QueryError,
  type QueryFault,
  type Term,
} from './query/query.ts';
export { QUOTE } from './query/query-reader.ts';
export type { NearColumn, SoughtWord } from './read/near-words.ts';
export type { GraphOrder, RecordGraph } from './read/record-graph.ts';
export { MATCHED_PROPERTIES, type MatchedRecord, type SoughtRecord } from './read/record-matcher.ts';
export { QUERIES, SearchBusy, SearchTimeout, SearchUnavailable } from './thread/search-index.ts';
