import { z } from 'zod';
import { absoluteUrl } from './fields.ts';
import { LANGUAGES } from './kinds.ts';

/** The pagination envelope around the results of a list or of search. */
export function envelopeSchema<Result extends z.ZodType>(result: Result) {
  return z.strictObject({
    next: absoluteUrl.nullable().meta({ description: 'URL of the next page; null on the last page.' }),
    previous: absoluteUrl
      .nullable()
      .meta({ description: 'URL of the previous page, without `page` for page 1; null on the first page.' }),
    count: z.int().min(0).meta({ description: 'Number of records that match, over all pages.' }),
    total: z.int().min(0).meta({ description: 'Number of records of all kinds in the archive.' }),
    language: z.enum(LANGUAGES).meta({ description: 'Language of the request.' }),
    results: z.array(result).meta({ description: 'The records of this page.' }),
  });
}

/** One page of a list or of search. */
export interface Envelope<Result> {
  next: string | null;
  previous: string | null;
  count: number;
  total: number;
  language: (typeof LANGUAGES)[number];
  results: Result[];
}
