import {
  type Changes,
  changesSchema,
  forCollections,
  type Gone,
  goneSchema,
  KINDS,
} from '@archiefkast/types';
import { type ChangesBetween, changedRecordsFile } from '../../edition/changes.ts';
import { type Edition, nameEdition } from '../../storage/edition.ts';
import { formAsked } from '../parameters.ts';
import { editionNotKept } from '../problems.ts';
import { fixedAnswer, json, jsonContent, type Route, type RouteDependencies } from '../route.ts';

/** The UUIDs of changed records since an earlier edition. */
export function changesRoute(dependencies: RouteDependencies): Route {
  return {
    path: '/api/changes',
    name: 'Changes since an edition',
    description:
      'The UUIDs of the records that were added, changed or removed since a kept edition. A record has changed if its JSON has, in either language, including embedded records.',
    group: 'Bulk',
    content: jsonContent(changesSchema),
    parameters: ['edition', 'since'],
    async handle({ parameters, open: { edition } }) {
      const found = await findChangesSince(dependencies, parameters, edition);
      const changes: Changes = {
        since: nameEdition(found.before),
        edition: nameEdition(edition),
        ...forCollections((kind) => found.changes[kind]),
      };
      return json(changes);
    },
  };
}

/** The records that the archive has taken back, so that copies say so too. */
export function goneRoute({ datestamps }: RouteDependencies): Route {
  return {
    path: '/api/gone',
    name: 'Records that are gone',
    description:
      'The records that were published and are no more, by UUID: their addresses are answered with 410. A copy made later says the same by this list.',
    group: 'Bulk',
    content: jsonContent(goneSchema),
    parameters: [],
    dependsOn: 'state',
    async handle() {
      const gone = await datestamps.listAllGone();
      const records = gone.map(({ at, ...record }) => ({ ...record, since: new Date(at).toISOString() }));
      return fixedAnswer(JSON.stringify({ records } satisfies Gone));
    },
  };
}

/**
 * The changes between the edition `since` and another.
 *
 * @throws Problem if `since` is not kept
 */
async function findChangesSince(
  { changeLog, keptEditions }: Pick<RouteDependencies, 'changeLog' | 'keptEditions'>,
  parameters: URLSearchParams,
  edition: Edition,
): Promise<ChangesBetween> {
  const since = Number(parameters.get('since'));
  const found = await changeLog.since(since, edition);
  if (found) return { ...found, edition };
  const editions = (await keptEditions()).map(({ id }) => id);
  const expected = since > edition.id ? `an edition up to ${edition.id}` : 'a full harvest, or the dumps';
  throw editionNotKept(since, edition.id, expected, { editions });
}

/** The changed records since an earlier edition. */
export function changesFeedRoute(dependencies: RouteDependencies): Route {
  return {
    path: '/api/changes.jsonl',
    name: 'Changes since an edition, with the records',
    description:
      'The changes for a mirror of the archive, as JSON Lines: first a header with since, edition, language and the numbers of added, changed and removed records; then a line per record with kind, change, uuid and, unless it was removed, the full record as in the lists.',
    group: 'Bulk',
    content: { contentType: 'application/jsonl' },
    parameters: ['edition', 'events', 'since'],
    async handle({ language, parameters, open: { edition } }) {
      const changes = await findChangesSince(dependencies, parameters, edition);
      return { body: changedRecordsFile(dependencies, changes, language, formAsked(parameters, KINDS)) };
    },
  };
}
