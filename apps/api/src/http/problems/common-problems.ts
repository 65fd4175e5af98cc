import type { Kind } from '@archiefkast/types';
import { type Bilingual, Problem, type ProblemMembers } from './problems.ts';

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

/** An edition that is named is not kept: it has been swept, or has not been published yet. */
export function editionNotKept(
  named: number,
  newest: number,
  expected: Bilingual,
  members: ProblemMembers = {},
): Problem {
  return named > newest
    ? new Problem(
        'no-such-edition',
        { en: `There is no edition ${named} yet.`, nl: `Er is nog geen editie ${named}.` },
        expected,
        members,
      )
    : new Problem(
        'edition-gone',
        { en: `Edition ${named} is not kept any more.`, nl: `Editie ${named} wordt niet meer bewaard.` },
        expected,
        members,
      );
}

/** No edition that is kept has this key. */
export function noEditionOfKey(key: string, expected: Bilingual, members: ProblemMembers): Problem {
  return new Problem(
    'no-such-edition',
    { en: `There is no edition ${key}.`, nl: `Er is geen editie ${key}.` },
    expected,
    members,
  );
}

/** A text that should name an edition does not. */
export function noEdition(text: string, expected: Bilingual): Problem {
  return new Problem(
    'invalid-edition',
    { en: `"${text}" is no edition.`, nl: `"${text}" is geen editie.` },
    expected,
  );
}

/** The server has not looked yet which edition is served, or cannot. */
export function starting(): Problem {
  return new Problem('starting', {
    en: 'The server is starting: it waits for its database, or prepares the search index.',
    nl: 'De server start op: hij wacht op zijn database, of maakt de zoekindex.',
  });
}

/** Nothing has been published yet. */
export function nothingPublished(): Problem {
  return new Problem('nothing-published', {
    en: 'No edition of the archive has been published yet.',
    nl: 'Er is nog geen editie van het archief gepubliceerd.',
  });
}

/** The methods that every endpoint answers. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** A method that no endpoint has. */
export function methodNotAllowed(method: string): Problem {
  return new Problem(
    'method-not-allowed',
    {
      en: `${method} is not allowed: the archive is read-only.`,
      nl: `${method} is niet toegestaan: het archief is alleen te lezen.`,
    },
    { en: ALLOWED_METHODS, nl: ALLOWED_METHODS },
  );
}
