import { COLLECTIONS, locationCollectionSchema } from '@archive/types';
import { DUMP_FORMATS, type Dump } from '../../archive/dumps/dump-names.ts';
import type { ArchiveRoute, RouteDependencies } from './route.ts';

/** All records of a kind in one file. */
export function dumpRoute(dump: Dump, { dumps }: RouteDependencies): ArchiveRoute {
  const { kind, format, path } = dump;
  const { contentType, description } = DUMP_FORMATS[format];
  return {
    path,
    name: `All ${COLLECTIONS[kind]} (${format})`,
    description: `All ${COLLECTIONS[kind]} by id, ${description}.`,
    group: 'Bulk',
    kind,
    isFile: true,
    content: { contentType, ...(format === 'geojson' && { schema: locationCollectionSchema }) },
    parameters: ['edition'],
    async answer({ language, open: { edition } }) {
      return { contentType, body: await dumps.open(edition, language, dump) };
    },
  };
}
