import { z } from 'zod';

/** The body of an answer that is no success (RFC 9457). Members beyond these are lists that a program can use. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: 'Names the kind of problem: the address of its help page.' }),
    title: z.string().meta({ description: 'What the kind of problem is called.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What is wrong with this request.' }),
    expected: z.string().optional().meta({ description: 'What would have been right.' }),
  })
  .meta({ id: 'Problem', description: 'Why a request was not answered (RFC 9457).' });

/** The body of an answer that is no success. */
export type ProblemBody = z.infer<typeof problemSchema>;
