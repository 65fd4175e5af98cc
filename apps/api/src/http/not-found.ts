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
