import { changedRecordsFile } from '../../read/changed-records.ts';
import { findChangesSince } from './changes-route.ts';
import type { ArchiveRoute, RouteDependencies } from './route.ts';

const CONTENT_TYPE = 'application/jsonl';

/** What happened to the records since an earlier edition, with the records. */
export function changesFeedRoute(dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/changes.jsonl',
    name: 'Changes since an edition, with the records',
    description:
      'What a mirror needs to follow the archive, as lines of JSON: first since, edition, language and the numbers of records added, changed and removed; then a line for each with kind, change, uuid and, unless it was removed, the record in full as the lists have it.',
    group: 'Bulk',
    isFile: true,
    content: { contentType: CONTENT_TYPE },
    parameters: ['edition', 'since'],
    async answer({ language, parameters, open: { edition } }) {
      const changes = await findChangesSince(dependencies, parameters, edition);
      return {
        contentType: CONTENT_TYPE,
        body: changedRecordsFile(dependencies, changes, language),
      };
    },
  };
}
