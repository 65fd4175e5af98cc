import type { Envelope, Kind, RecordOfKind, SearchEntry } from '@archiefkast/types';
import { addressOf, type ClientParts } from './client-parts.ts';
import { createListing, type Listing } from './create-listing.ts';
import type { FieldPath, Selected } from './selected.ts';
import type { JsonSchema } from './shape/json-schema.ts';
import { assertFields, selectShape } from './shape/select-shape.ts';
import { pageOf, resolveShape, schemaOf, shapeOf } from './shape/shapes.ts';

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
   * The same hits with these fields only, as far as their kind has them.
   *
   * @throws OptionError if no kind has one of them
   */
  select<Path extends AnyFieldPath>(...fields: Path[]): Listing<SelectedEntry<Path>>;
}

/** Creates the list of the hits of a search. */
export function createSearch(parts: ClientParts, query: string, { sort }: SearchOptions): SearchListing {
  const listing = <Hit>(shape: JsonSchema, fields?: string) =>
    createListing<Hit>({
      ...parts,
      url: addressOf(parts, 'search', { fields, q: query, sort }),
      schema: schemaOf<Envelope<Hit>>(pageOf(shape)),
      what: 'search hits',
    });
  const entry = shapeOf('SearchEntry');
  return {
    ...listing<SearchEntry>(entry),
    select<Path extends AnyFieldPath>(...fields: Path[]) {
      return listing<SelectedEntry<Path>>(selectEntry(entry, fields), fields.join(','));
    },
  };
}

/**
 * The shape of a hit with selected fields, as far as its kind has them.
 *
 * @throws OptionError if no kind has one of them
 */
function selectEntry(entry: JsonSchema, fields: readonly string[]): JsonSchema {
  const hits = resolveShape(entry).anyOf ?? [];
  const recordOf = (hit: JsonSchema) => hit.properties?.['instance'] ?? {};
  assertFields(hits.map(recordOf), fields);
  return {
    anyOf: hits.map((hit) => ({
      ...hit,
      properties: { ...hit.properties, instance: selectShape(recordOf(hit), fields) },
    })),
  };
}
