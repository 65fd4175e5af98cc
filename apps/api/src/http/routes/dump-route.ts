import { eventCollectionSchema, locationCollectionSchema } from '@archive/formats';
import { COLLECTIONS } from '@archive/types';
import { DUMP_FORMATS, type Dump } from '../../read/dumps/dump-names.ts';
import { createFeatureWriter, type MappedKind } from '../../read/features.ts';
import { featuresWithin } from '../../read/features-file.ts';
import { boxOf } from '../request/bbox.ts';
import type { ArchiveRoute, RouteDependencies } from './route.ts';

const MAPPED: readonly MappedKind[] = ['location', 'event'];

const COLLECTION_SCHEMAS = { location: locationCollectionSchema, event: eventCollectionSchema } as const;

/** All records of a kind in one file; as a map, those within a box too. */
export function dumpRoute(dump: Dump, { dumps, queries, baseUrl }: RouteDependencies): ArchiveRoute {
  const { kind, format, path } = dump;
  const { contentType, description } = DUMP_FORMATS[format];
  const mapped = format === 'geojson' ? MAPPED.find((each) => each === kind) : undefined;
  const features = createFeatureWriter(queries, baseUrl);
  return {
    path,
    name: `All ${COLLECTIONS[kind]} (${format})`,
    description: `All ${COLLECTIONS[kind]} by id, ${description}.`,
    group: 'Bulk',
    kind,
    isFile: true,
    content: { contentType, ...(mapped && { schema: COLLECTION_SCHEMAS[mapped] }) },
    parameters: mapped ? ['bbox', 'edition'] : ['edition'],
    async answer({ language, parameters, open, signal }) {
      const bbox = parameters.get('bbox');
      const body =
        mapped && bbox !== null
          ? await featuresWithin(features, open, { language, kind: mapped, box: boxOf(bbox) }, signal)
          : await dumps.open(open.edition, language, dump);
      return { contentType, body };
    },
  };
}
