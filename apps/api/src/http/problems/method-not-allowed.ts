import { ALLOWED_METHODS } from '../answer/common-headers.ts';
import { Problem } from './problems.ts';

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
