import type { Kind } from '@archiefkast/types';
import { addressOf, type ClientParts } from '../client-parts.ts';
import type { SearchOptions } from '../create-search.ts';

/** Which records a file has, and in which order. */
export interface FileFilter extends SearchOptions {
  /** Query: only records that match. */
  query?: string | undefined;
}

/** Which features a map has. */
export interface MapFilter extends FileFilter {
  /** Only features in this box: west, south, east and north, in degrees. */
  bbox?: readonly [west: number, south: number, east: number, north: number] | undefined;
}

/** The kinds with maps. */
export type MappedKind = Extract<Kind, 'location' | 'event'>;

/** A location or event on a map (GeoJSON, RFC 7946). */
export interface MapFeature {
  type: 'Feature';
  /** Longitude and latitude; null if unknown. */
  geometry: { type: 'Point'; coordinates: [longitude: number, latitude: number] } | null;
  properties: { uuid: string; id: number; url: string; name: string } & Readonly<Record<string, unknown>>;
}

/** The features of a map. */
export interface FeatureCollection {
  type: 'FeatureCollection';
  features: MapFeature[];
}

/** The parameters of a filter. */
export function filterParameters({
  query,
  sort,
  bbox,
}: MapFilter): Readonly<Record<string, string | undefined>> {
  return { q: query, sort, bbox: bbox?.join(',') };
}

/** The address of a file with the records of a kind that match; undefined without a filter. */
export function addressOfHits(
  parts: ClientParts,
  collection: string,
  filter: FileFilter,
): string | undefined {
  const parameters = filterParameters(filter);
  if (!Object.values(parameters).some(Boolean)) return undefined;
  return addressOf(parts, `dump/${collection}.jsonl`, parameters);
}
