import { type Changes, changesSchema } from '@archiefkast/types';
import { type ChangesBetween, changedRecordsFile } from '../../edition/changes.ts';
import { type Edition, nameEdition } from '../../storage/edition.ts';
import { type ArchiveRoute, json, jsonContent, type RouteDependencies } from '../contract/route.ts';
import { editionNotKept, noEdition } from '../problems/common-problems.ts';
import { type Bilingual, Problem } from '../problems/problems.ts';
import { isEdition } from '../request/parameters.ts';

/** The UUIDs of changed records since an earlier edition. */
export function changesRoute(dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/changes',
    name: 'Changes since an edition',
    description:
      'The UUIDs of the records that were added, changed or removed since a kept edition. A record has changed if its JSON has, in either language, including embedded records.',
    group: 'Bulk',
    content: jsonContent(changesSchema),
    parameters: ['edition', 'since'],
    async answer({ parameters, open: { edition } }) {
      const found = await findChangesSince(dependencies, parameters, edition);
      const { person, subject, location, event } = found.changes;
      const changes: Changes = {
        since: nameEdition(found.before),
        edition: nameEdition(edition),
        persons: person,
        subjects: subject,
        locations: location,
        events: event,
      };
      return json([JSON.stringify(changes)]);
    },
  };
}

/**
 * The changes between the edition `since` and another.
 *
 * @throws Problem if `since` is missing, invalid, or not kept
 */
async function findChangesSince(
  { changeLog, keptEditions }: Pick<RouteDependencies, 'changeLog' | 'keptEditions'>,
  parameters: URLSearchParams,
  edition: Edition,
): Promise<ChangesBetween> {
  const since = readSince(parameters);
  const found = await changeLog.since(since, edition);
  if (found) return { ...found, edition };
  const editions = (await keptEditions()).map(({ id }) => id);
  throw editionNotKept(since, edition.id, instead(since, edition.id), { editions });
}

const EXPECTED = {
  en: 'since=<edition>, the number of an edition, as in the header Archive-Edition',
  nl: 'since=<editie>, het nummer van een editie, zoals in de header Archive-Edition',
};

/** The alternative if the edition `since` is not kept. */
function instead(since: number, newest: number): Bilingual {
  return since > newest
    ? { en: `an edition up to ${newest}`, nl: `een editie tot en met ${newest}` }
    : { en: 'a full harvest, or the dumps', nl: 'een volledige harvest, of de bestanden met alle records' };
}

function readSince(parameters: URLSearchParams): number {
  const text = parameters.get('since') ?? '';
  if (isEdition(text)) return Number(text);
  if (text !== '') throw noEdition(text, EXPECTED);
  throw new Problem(
    'invalid-edition',
    { en: 'Missing parameter "since".', nl: 'De parameter "since" ontbreekt.' },
    EXPECTED,
  );
}

const CONTENT_TYPE = 'application/jsonl';

/** The changed records since an earlier edition. */
export function changesFeedRoute(dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/changes.jsonl',
    name: 'Changes since an edition, with the records',
    description:
      'The changes for a mirror of the archive, as JSON Lines: first a header with since, edition, language and the numbers of added, changed and removed records; then a line per record with kind, change, uuid and, unless it was removed, the full record as in the lists.',
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
