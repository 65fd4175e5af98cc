import type { Middleware } from 'koa';
import { Problem } from '../problems/problems.ts';

/** Longest address that is read, in characters: a `q` of 8 kB, percent-encoded, is still told what is wrong with it. */
export const LONGEST_URL = 32_768;

/** Refuses an address that is longer than any that leads somewhere. */
export const refuseLongUrl: Middleware = async (context, next) => {
  const { length } = context.req.url ?? '';
  if (length <= LONGEST_URL) return next();
  throw new Problem(
    'url-too-long',
    { en: `The URL has ${length} characters.`, nl: `De URL heeft ${length} tekens.` },
    { en: `at most ${LONGEST_URL} characters`, nl: `hoogstens ${LONGEST_URL} tekens` },
  );
};
