export { buildSearchIndex, type IndexedRecord } from './build/build-index.ts';
export { type CountedValue, FACETS, type FacetName, facetLabel, narrowedQuery } from './fields/facets.ts';
export { fold } from './fields/fold.ts';
export { type End, endsBetween, relationNamed } from './fields/relations.ts';
export { hasSuggestions, type Matching, SEARCH_FIELDS, type SearchField } from './fields/search-fields.ts';
export { SearchIndexFormatError } from './file/index-file.ts';
export { MAX_CLAUSES, MAX_QUERY_LENGTH, parseQuery } from './query/parse-query.ts';
export {
  ALL_RECORDS,
  type Box,
  type Clause,
  type DateRange,
  type Order,
  type Query,
  QueryError,
  type QueryFault,
} from './query/query.ts';
export type { FacetResult, Hit, SearchResult } from './read/index-reader.ts';
export type { GraphOrder, RecordGraph } from './read/record-graph.ts';
export type { Suggestion } from './read/suggest.ts';
export { openSearchIndex, type SearchIndexOptions } from './thread/open-index.ts';
export {
  SearchBusy,
  type SearchIndex,
  SearchIndexDamaged,
  SearchTimeout,
  SearchUnavailable,
} from './thread/search-index.ts';
