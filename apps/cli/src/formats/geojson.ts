import { toEventFeature, toFeature } from '@archiefkast/formats/geojson';
import type { Fields } from '@archiefkast/formats/reading';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';

/** Converts a record of each mapped kind to a feature. */
const FEATURES: Partial<Record<Kind, (record: Fields) => object>> = {
  location: toFeature,
  event: toEventFeature,
};

/** GeoJSON (RFC 7946) of locations, and of events at their locations. The locations have the bytes of the archive's dump. */
export const geojsonFormat: Format = {
  names: (kinds) => kinds.filter((kind) => FEATURES[kind]).map((kind) => `${COLLECTIONS[kind]}.geojson`),
  async write(source, open, { warn }) {
    const kinds = source.kinds.filter((kind) => FEATURES[kind]);
    if (kinds.length === 0) warn('no GeoJSON is written: neither locations nor events were harvested');
    for (const kind of kinds) {
      const file = open(`${COLLECTIONS[kind]}.geojson`);
      if (!file) continue;
      file.write('{"type":"FeatureCollection","features":[');
      let comma = '';
      for await (const records of source.shownRecords(kind)) {
        for (const record of records) {
          file.write(`${comma}\n${JSON.stringify(FEATURES[kind]?.(record))}`);
          comma = ',';
        }
      }
      file.write('\n]}\n');
    }
  },
};
