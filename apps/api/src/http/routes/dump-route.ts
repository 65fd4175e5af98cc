import { eventCollectionSchema, locationCollectionSchema } from '@archiefkast/formats/geojson';
import { COLLECTIONS } from '@archiefkast/types';
import { DUMP_FORMATS, type Dump } from '../../read/dumps/dump-names.ts';
import type { MappedKind } from '../../read/features.ts';
import { findPositions } from './find-positions.ts';
import type { ArchiveRoute, RouteDependencies } from './route.ts';

const MAPPED: readonly MappedKind[] = ['location', 'event'];

const COLLECTION_SCHEMAS = { location: locationCollectionSchema, event: eventCollectionSchema } as const;

/** All records of a kind in one file, or those that a query finds; as a map, those within a box too. */
export function dumpRoute(dump: Dump, { dumps, mostFound }: RouteDependencies): ArchiveRoute {
  const { kind, format, path } = dump;
  const { contentType, description } = DUMP_FORMATS[format];
  const mapped = format === 'geojson' ? MAPPED.find((each) => each === kind) : undefined;
  return {
    path,
    name: `All ${COLLECTIONS[kind]} (${format})`,
    description: `All ${COLLECTIONS[kind]} by id, ${description}. With q those that match, best first; with sort in another order.`,
    group: 'Bulk',
    kind,
    isFile: true,
    content: { contentType, ...(mapped && { schema: COLLECTION_SCHEMAS[mapped] }) },
    problems: ['too-many-hits', 'unwritable-record'],
    parameters: mapped ? ['bbox', 'edition', 'q', 'sort'] : ['edition', 'q', 'sort'],
    async answer(request) {
      const { edition } = request.open;
      const found = await findPositions(request, { kind, mapped, most: mostFound });
      const body = found
        ? dumps.openFound(edition, request.language, dump, found)
        : await dumps.open(edition, request.language, dump);
      return { contentType, body };
    },
  };
}
