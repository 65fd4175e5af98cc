import { type Changes, changesSchema } from '@archive/types';
import { type Edition, nameEdition } from '../../editions/edition.ts';
import { Problem } from '../problems.ts';
import { type ArchiveRoute, json, jsonContent, type RouteDependencies } from './route.ts';

/** What happened to the records since an earlier edition. */
export function changesRoute({ changeLog }: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/changes',
    name: 'Changes since an edition',
    description:
      'The uuids of the records that were added, changed or removed since a kept edition. A record has changed when anything has that its JSON holds, in either language, embedded records included.',
    group: 'Bulk',
    content: jsonContent(changesSchema),
    parameters: ['edition', 'since'],
    async answer({ parameters, open: { edition } }) {
      const since = readSince(parameters);
      const found = await changeLog.since(since, edition);
      if (!found) throw notKept(since, edition);
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

const EXPECTED = {
  en: 'since=<edition>, with the number of an edition, as the header Archive-Edition gives it',
  nl: 'since=<editie>, met het nummer van een editie, zoals de header Archive-Edition het geeft',
};

function readSince(parameters: URLSearchParams): number {
  const text = parameters.get('since') ?? '';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Problem(
    'invalid-edition',
    text === ''
      ? { en: 'since is missing.', nl: 'since ontbreekt.' }
      : { en: `"${text}" is no edition.`, nl: `"${text}" is geen editie.` },
    EXPECTED,
  );
}

function notKept(since: number, { id }: Edition): Problem {
  return since > id
    ? new Problem(
        'no-such-edition',
        { en: `There is no edition ${since} yet.`, nl: `Er is nog geen editie ${since}.` },
        { en: `an edition up to ${id}`, nl: `een editie tot en met ${id}` },
      )
    : new Problem(
        'edition-gone',
        { en: `Edition ${since} is not kept any more.`, nl: `Editie ${since} wordt niet meer bewaard.` },
        { en: 'a new harvest, or the dumps', nl: 'een nieuwe oogst, of de bestanden met alle records' },
      );
}
