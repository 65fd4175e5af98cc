import { COLLECTIONS, type Kind } from '@archiefkast/types';
import { type Bilingual, Problem, type ProblemMembers } from './problems.ts';

/** The path does not exist. */
export function noSuchPath(path: string): Problem {
  return new Problem(
    'not-found',
    { en: `No resource at ${path}.`, nl: `Op ${path} is niets te vinden.` },
    {
      en: 'a path such as /en/api/persons, /nl/api/search or /en/api/locations/<uuid>',
      nl: 'een pad zoals /en/api/persons, /nl/api/search of /en/api/locations/<uuid>',
    },
  );
}

/** The Dutch names of the kinds. */
export const DUTCH: Record<Kind, { one: string; many: string }> = {
  person: { one: 'persoon', many: 'personen' },
  subject: { one: 'onderwerp', many: 'onderwerpen' },
  location: { one: 'locatie', many: 'locaties' },
  event: { one: 'gebeurtenis', many: 'gebeurtenissen' },
};

/** The edition has no record of this kind with this UUID. */
export function noSuchRecord(kind: Kind, uuid: string): Problem {
  return new Problem(
    'not-found',
    { en: `No ${kind} with UUID ${uuid}.`, nl: `Geen ${DUTCH[kind].one} met uuid ${uuid}.` },
    {
      en: `a UUID from the list of ${COLLECTIONS[kind]}`,
      nl: `een uuid uit de lijst van ${DUTCH[kind].many}`,
    },
  );
}

/** The requested edition is not kept: it was swept, or has not been published yet. */
export function editionNotKept(
  named: number,
  newest: number,
  expected: Bilingual,
  members: ProblemMembers = {},
): Problem {
  return named > newest
    ? new Problem(
        'no-such-edition',
        { en: `Edition ${named} does not exist yet.`, nl: `Editie ${named} bestaat nog niet.` },
        expected,
        members,
      )
    : new Problem(
        'edition-gone',
        { en: `Edition ${named} is no longer kept.`, nl: `Editie ${named} wordt niet meer bewaard.` },
        expected,
        members,
      );
}

/** No kept edition has this key. */
export function noEditionOfKey(key: string, expected: Bilingual, members: ProblemMembers): Problem {
  return new Problem(
    'no-such-edition',
    { en: `No edition with key ${key}.`, nl: `Geen editie met sleutel ${key}.` },
    expected,
    members,
  );
}

/** The text is neither the number nor the key of an edition. */
export function noEdition(text: string, expected: Bilingual): Problem {
  return new Problem(
    'invalid-edition',
    { en: `Invalid edition "${text}".`, nl: `Ongeldige editie "${text}".` },
    expected,
  );
}

/** The server does not know yet which edition to serve. */
export function starting(): Problem {
  return new Problem('starting', {
    en: 'The server is starting: it is waiting for the database or opening the search index.',
    nl: 'De server wordt gestart: de database of de zoekindex is nog niet gereed.',
  });
}

/** The database may be behind for longer than `MAX_STALE`. */
export function notCurrent(): Problem {
  return new Problem('not-current', {
    en: 'This server cannot confirm at the moment that its archive is up to date.',
    nl: 'Deze server kan op dit moment niet vaststellen of het archief actueel is.',
  });
}

/** Nothing has been published yet. */
export function nothingPublished(): Problem {
  return new Problem('nothing-published', {
    en: 'No edition of the archive has been published yet.',
    nl: 'Er is nog geen editie van het archief gepubliceerd.',
  });
}

/** The methods of every endpoint. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** No endpoint supports this method. */
export function methodNotAllowed(method: string): Problem {
  return new Problem(
    'method-not-allowed',
    {
      en: `Method ${method} is not allowed: the archive is read-only.`,
      nl: `Methode ${method} is niet toegestaan: het archief is alleen te raadplegen.`,
    },
    { en: ALLOWED_METHODS, nl: ALLOWED_METHODS },
  );
}
