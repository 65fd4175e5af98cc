import type { Kind } from '@archiefkast/types';
import { Problem } from './problems.ts';

/** There is no endpoint, and no document, at a path. */
export function noSuchPath(path: string): Problem {
  return new Problem(
    'not-found',
    { en: `There is nothing at ${path}.`, nl: `Er is niets op ${path}.` },
    {
      en: 'a path such as /en/api/persons, /nl/api/search or /en/api/locations/<uuid>',
      nl: 'een pad als /en/api/persons, /nl/api/search of /en/api/locations/<uuid>',
    },
  );
}

const DUTCH: Record<Kind, string> = {
  person: 'persoon',
  subject: 'onderwerp',
  location: 'locatie',
  event: 'gebeurtenis',
};

/** There is no record of a kind with this uuid in the edition. */
export function noSuchRecord(kind: Kind, uuid: string): Problem {
  return new Problem(
    'not-found',
    { en: `There is no ${kind} ${uuid}.`, nl: `Er is geen ${DUTCH[kind]} ${uuid}.` },
    { en: `the uuid of a ${kind}`, nl: `de uuid van een ${DUTCH[kind]}` },
  );
}
