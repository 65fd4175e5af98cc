import { z } from 'zod';
import { editionNameSchema, licenceSchema } from './editions.ts';
import { absoluteUrl, uuid } from './field-schemas.ts';
import { COLLECTIONS, KINDS, LANGUAGES } from './kinds.ts';
import { eventSchema, locationSchema, personSchema, subjectSchema } from './records.ts';

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

const count = z.int().min(0);

const endpointSchema = z.strictObject({
  name: z.string().meta({ description: 'What it is called.' }),
  description: z.string().meta({ description: 'What it answers.' }),
  url: z.string().meta({ description: 'Its address, with {uuid} for a segment; without query.' }),
  template: z
    .string()
    .meta({ description: 'Its address with its parameters, as a URI template (RFC 6570).' }),
});

/** The answer of the index: what the archive is, and what can be asked of it. */
export const archiveIndexSchema = z
  .strictObject({
    title: z.string().nullable().meta({ description: 'Name of the archive.' }),
    description: z.string().nullable().meta({ description: 'What the archive is.' }),
    publisher: z.string().nullable().meta({ description: 'Who publishes it.' }),
    licence: licenceSchema.nullable(),
    homepage: absoluteUrl.nullable().meta({ description: 'Web site of the archive.' }),
    logo: absoluteUrl.optional().meta({ description: 'Its logo; absent where it has none.' }),
    colours: z
      .strictObject({ light: z.string(), dark: z.string() })
      .optional()
      .meta({ description: 'Its colour on light and on dark ground; absent where it has none of its own.' }),
    language: z.enum(LANGUAGES).meta({ description: 'Language of the request.' }),
    edition: editionNameSchema,
    counts: z
      .strictObject({
        [COLLECTIONS.person]: count,
        [COLLECTIONS.subject]: count,
        [COLLECTIONS.location]: count,
        [COLLECTIONS.event]: count,
      })
      .meta({ description: 'Number of records of each kind.' }),
    total: count.meta({ description: 'Number of records of all kinds.' }),
    documentation: absoluteUrl.meta({ description: 'The documentation, for people.' }),
    openapi: absoluteUrl.meta({ description: 'The documentation, for programs (OpenAPI).' }),
    endpoints: z.array(endpointSchema).meta({ description: 'Every endpoint.' }),
  })
  .meta({ id: 'ArchiveIndex', description: 'What the archive is, and what can be asked of it.' });

/** The answer of the index. */
export type ArchiveIndex = z.infer<typeof archiveIndexSchema>;

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

/** The answer of suggest: values of a field in which a word begins with what has been typed. */
export const suggestionsSchema = z
  .strictObject({
    field: z
      .string()
      .nullable()
      .meta({ description: 'The field asked for; null for the names of all records.' }),
    prefix: z.string().meta({ description: 'What has been typed.' }),
    values: z
      .array(
        z.strictObject({
          value: z.string().meta({ description: 'A value, as a record writes it.' }),
          count: z.int().min(1).meta({ description: 'Number of records that have it.' }),
          kind: z.enum(KINDS).optional().meta({ description: 'Kind of the record, where one has it.' }),
          uuid: uuid.optional(),
        }),
      )
      .meta({
        description:
          'At most ten values: those that begin with what has been typed first, then those of most records, then by alphabet.',
      }),
  })
  .meta({ id: 'Suggestions', description: 'Values that a field has.' });

/** The answer of suggest. */
export type Suggestions = z.infer<typeof suggestionsSchema>;

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
