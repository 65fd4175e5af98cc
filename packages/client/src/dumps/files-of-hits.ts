import type { Kind } from '@archiefkast/types';
import { addressOf, type ClientParts } from '../client-parts.ts';
import type { SearchOptions } from '../create-search.ts';
import type { JsonSchema } from '../shape/json-schema.ts';

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

const POINT: JsonSchema = {
  type: 'object',
  properties: { type: { const: 'Point' }, coordinates: { type: 'array', items: { type: 'number' } } },
  required: ['type', 'coordinates'],
};

const PROPERTIES: JsonSchema = {
  type: 'object',
  properties: {
    uuid: { type: 'string' },
    id: { type: 'integer' },
    url: { type: 'string' },
    name: { type: 'string' },
  },
  required: ['uuid', 'id', 'url', 'name'],
};

/** The shape of a map. */
export const FEATURE_COLLECTION: JsonSchema = {
  type: 'object',
  properties: {
    type: { const: 'FeatureCollection' },
    features: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { const: 'Feature' },
          geometry: { anyOf: [POINT, { type: 'null' }] },
          properties: PROPERTIES,
        },
        required: ['type', 'geometry', 'properties'],
      },
    },
  },
  required: ['type', 'features'],
};

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
