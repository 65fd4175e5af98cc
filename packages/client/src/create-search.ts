import type { Kind, RecordOfKind, SearchEntry } from '@archiefkast/types';
import { pageSchema } from './answer-schemas.ts';
import { addressOf, type ClientParts } from './client-parts.ts';
import { createListing, type Listing } from './create-listing.ts';
import type { FieldPath, Selected } from './selected.ts';

/** Options of a search. */
export interface SearchOptions {
  /** Order of the hits; `relevance` by default. */
  sort?: 'relevance' | 'name' | 'date' | '-date' | 'id' | undefined;
}

/** A field of records of any kind. */
export type AnyFieldPath = { [K in Kind]: FieldPath<RecordOfKind[K]> }[Kind];

/** A hit with the selected fields that its record has. */
export type SelectedEntry<Path extends string> = {
  [K in Kind]: { type: K; instance: Selected<RecordOfKind[K], Path>; score: number };
}[Kind];

/** The hits of a search, with an optional selection of fields. */
export interface SearchListing extends Listing<SearchEntry> {
  /**
   * The same hits with these fields only, as far as their kind has them. The server refuses those that no kind has.
   */
  select<Path extends AnyFieldPath>(...fields: Path[]): Listing<SelectedEntry<Path>>;
}

/** Creates the list of the hits of a search. */
export function createSearch(parts: ClientParts, query: string, { sort }: SearchOptions): SearchListing {
  const listing = <Hit>(fields?: string) =>
    createListing<Hit>({
      ...parts,
      url: addressOf(parts, 'search', { fields, q: query, sort }),
      schema: pageSchema<Hit>(parts.schemas, fields === undefined ? 'SearchEntry' : undefined),
      what: 'search hits',
    });
  return {
    ...listing<SearchEntry>(),
    select: <Path extends AnyFieldPath>(...fields: Path[]) => listing<SelectedEntry<Path>>(fields.join(',')),
  };
}
