import {
  mappedEventSchema,
  mappedLocationSchema,
  toEventFeature,
  toFeature,
} from '@archiefkast/formats/geojson';
import type { Format } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** GeoJSON (RFC 7946) of locations, and of events at their locations. The locations have the bytes of the archive's dump. */
export const geojsonFormat: Format = {
  name: 'geojson',
  files(source, { warn }) {
    const files = [
      { kind: 'location' as const, name: 'locations.geojson', feature: locationFeature },
      { kind: 'event' as const, name: 'events.geojson', feature: eventFeature },
    ].filter(({ kind }) => source.kinds.includes(kind));
    if (files.length === 0) warn('no GeoJSON is written: neither locations nor events were harvested');
    return files.map(({ kind, name, feature }) => ({
      name,
      parts: () => collection(source, kind, feature),
    }));
  },
};

function locationFeature(record: unknown): object {
  return toFeature(mappedLocationSchema.parse(record));
}

function eventFeature(record: unknown): object {
  return toEventFeature(mappedEventSchema.parse(record));
}

async function* collection(
  source: HarvestSource,
  kind: 'location' | 'event',
  feature: (record: unknown) => object,
): AsyncGenerator<string[]> {
  yield ['{"type":"FeatureCollection","features":['];
  let comma = '';
  for await (const records of source.records(kind)) {
    yield records.map((record) => {
      const line = `${comma}\n${JSON.stringify(feature(record))}`;
      comma = ',';
      return line;
    });
  }
  yield ['\n]}\n'];
}
