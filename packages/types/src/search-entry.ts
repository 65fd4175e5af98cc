import { z } from 'zod';
import { eventSchema } from './event.ts';
import { locationSchema } from './location.ts';
import { personSchema } from './person.ts';
import { subjectSchema } from './subject.ts';

const score = z.number().min(0).meta({ description: 'Relevance: 0.0 without `q`, positive with it.' });

/** One hit of search: a record, what it is, and how well it matches. */
export const searchEntrySchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('person'), instance: personSchema, score }),
    z.strictObject({ type: z.literal('subject'), instance: subjectSchema, score }),
    z.strictObject({ type: z.literal('location'), instance: locationSchema, score }),
    z.strictObject({ type: z.literal('event'), instance: eventSchema, score }),
  ])
  .meta({ id: 'SearchEntry', description: 'One hit of search.' });

/** One hit of search. */
export type SearchEntry = z.infer<typeof searchEntrySchema>;
