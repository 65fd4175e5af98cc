import { z } from 'zod';

const facetValueSchema = z.strictObject({
  value: z.string().meta({ description: 'The value: of a subject, its uuid.' }),
  label: z.string().meta({ description: 'What the value is called in the language of the request.' }),
  count: z.int().min(1).meta({ description: 'Number of hits that have it.' }),
  q: z.string().nullable().meta({
    description:
      'The query that finds exactly these; null where there is none: the value holds a quotation mark, or the query would be too long.',
  }),
});

/** The answer of facets: the values that the hits of a query have. */
export const facetsSchema = z
  .strictObject({
    count: z.int().min(0).meta({ description: 'Number of records that match.' }),
    facets: z
      .strictObject({
        kind: z.array(facetValueSchema).optional().meta({ description: 'By kind of record.' }),
        century: z.array(facetValueSchema).optional().meta({ description: 'By century: 17 is 1601–1700.' }),
        city: z.array(facetValueSchema).optional().meta({ description: 'By city of a location.' }),
        subject: z.array(facetValueSchema).optional().meta({ description: 'By subject.' }),
        gender: z.array(facetValueSchema).optional().meta({ description: 'By gender of a person.' }),
      })
      .meta({
        description: 'The facets asked for; of each at most twenty values, those of most hits first.',
      }),
  })
  .meta({ id: 'Facets', description: 'How many hits have which values.' });

/** The answer of facets. */
export type Facets = z.infer<typeof facetsSchema>;
