import { type Editions, editionsSchema } from '@archiefkast/types';
import { nameEdition } from '../../editions/edition.ts';
import { type ArchiveRoute, json, jsonContent, type RouteDependencies } from './route.ts';

/** The editions that are kept. */
export function editionsRoute({ keptEditions }: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/editions',
    name: 'Editions',
    description:
      'The editions that are kept, newest first: those that the parameters edition and since may name.',
    group: 'Bulk',
    content: jsonContent(editionsSchema),
    parameters: [],
    async alsoDependsOn() {
      const editions = await keptEditions();
      return editions.map(({ id }) => id).join(' ');
    },
    async answer({ open: { edition } }) {
      const editions: Editions = {
        served: edition.id,
        editions: (await keptEditions()).map((kept) => ({ ...nameEdition(kept), total: kept.total })),
      };
      return json([JSON.stringify(editions)]);
    },
  };
}
