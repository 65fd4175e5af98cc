import { z } from 'zod';
import { editionNameSchema, licenceSchema } from './editions.ts';
import { absoluteUrl, count, text, uuid } from './field-schemas.ts';
import { forCollections, KINDS, LANGUAGES, type Language } from './kinds.ts';
import { recordSchemas } from './records.ts';

/** A page of a list or of search: its results, and what is known of the others. */
export interface Envelope<Result> {
  /** URL of the next page; null on the last page. */
  next: string | null;
  /** URL of the previous page; null on the first page. */
  previous: string | null;
  /** Number of records that match, over all pages. */
  count: number;
  /** Number of records of all kinds in the archive. */
  total: number;
  /** Language of the request. */
  language: Language;
  results: Result[];
}

/** The schema of an `Envelope`. */
export function envelopeSchema<Result extends z.ZodType>(result: Result) {
  return z.strictObject({
    next: absoluteUrl.nullable().meta({ description: 'URL of the next page; null on the last page.' }),
    previous: absoluteUrl.nullable().meta({
      description: 'URL of the previous page, without `page` if that is page 1; null on the first page.',
    }),
    count: count.meta({ description: 'Number of records that match, over all pages.' }),
    total: count.meta({ description: 'Number of records of all kinds in the archive.' }),
    language: z.enum(LANGUAGES).meta({ description: 'Language of the request.' }),
    results: z.array(result).meta({ description: 'The records of this page.' }),
  } satisfies Record<keyof Envelope<unknown>, z.ZodType>);
}

const score = z.number().min(0).meta({ description: 'Relevance: 0.0 without `q`, positive with `q`.' });

/** The schema of a hit of search, by the schemas of the records. */
export function entrySchema<
  PersonType extends z.ZodType,
  SubjectType extends z.ZodType,
  LocationType extends z.ZodType,
  EventType extends z.ZodType,
>(records: { person: PersonType; subject: SubjectType; location: LocationType; event: EventType }) {
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('person'), instance: records.person, score }),
    z.strictObject({ type: z.literal('subject'), instance: records.subject, score }),
    z.strictObject({ type: z.literal('location'), instance: records.location, score }),
    z.strictObject({ type: z.literal('event'), instance: records.event, score }),
  ]);
}

/** One hit of search: a record with its kind and score. */
export const searchEntrySchema = entrySchema(recordSchemas).meta({
  id: 'SearchEntry',
  description: 'One hit of search.',
});

/** One hit of search: a record with its kind and score. */
export type SearchEntry = z.infer<typeof searchEntrySchema>;

const endpointSchema = z.strictObject({
  name: text('Name of the endpoint.'),
  description: text('What the endpoint returns.'),
  url: text('URL of the endpoint, with {uuid} as a placeholder; without query.'),
  template: text('URL with all parameters, as a URI template (RFC 6570).'),
});

/** Response of the index: a description of the archive and its endpoints. */
export const archiveIndexSchema = z
  .strictObject({
    title: z.string().nullable().meta({ description: 'Name of the archive.' }),
    description: z.string().nullable().meta({ description: 'Description of the archive.' }),
    publisher: z.string().nullable().meta({ description: 'Publisher of the archive.' }),
    licence: licenceSchema.nullable(),
    homepage: absoluteUrl.nullable().meta({ description: 'Web site of the archive.' }),
    note: z.string().optional().meta({ description: 'Content note of the archive; absent if it has none.' }),
    logo: absoluteUrl.optional().meta({ description: 'Logo of the archive; absent if it has none.' }),
    colours: z.strictObject({ light: z.string(), dark: z.string() }).optional().meta({
      description: 'Colour of the archive on a light and on a dark background; absent if it has none.',
    }),
    language: z.enum(LANGUAGES).meta({ description: 'Language of the request.' }),
    edition: editionNameSchema,
    counts: z
      .strictObject(forCollections(() => count))
      .meta({ description: 'Number of records of each kind.' }),
    total: count.meta({ description: 'Number of records of all kinds.' }),
    documentation: absoluteUrl.meta({ description: 'Documentation for people (HTML).' }),
    openapi: absoluteUrl.meta({ description: 'Documentation for programs (OpenAPI).' }),
    endpoints: z.array(endpointSchema).meta({ description: 'Every endpoint.' }),
  })
  .meta({ id: 'ArchiveIndex', description: 'A description of the archive, and its endpoints.' });

/** A description of the archive, and its endpoints. */
export type ArchiveIndex = z.infer<typeof archiveIndexSchema>;

const facetValueSchema = z.strictObject({
  value: text('The value; the uuid of a subject.'),
  label: text('Label of the value, in the language of the request.'),
  count: z.int().min(1).meta({ description: 'Number of hits with this value.' }),
  q: z.string().nullable().meta({
    description:
      'Query that finds exactly these hits; null if the value contains a quotation mark or the query would be too long.',
  }),
});

/** Response of facets: the values that occur in the hits of a query. */
export const facetsSchema = z
  .strictObject({
    count: count.meta({ description: 'Number of records that match.' }),
    facets: z
      .strictObject({
        kind: z.array(facetValueSchema).optional().meta({ description: 'By kind of record.' }),
        century: z.array(facetValueSchema).optional().meta({ description: 'By century; 17 is 1601–1700.' }),
        city: z.array(facetValueSchema).optional().meta({ description: 'By city of a location.' }),
        subject: z.array(facetValueSchema).optional().meta({ description: 'By subject.' }),
        gender: z.array(facetValueSchema).optional().meta({ description: 'By gender of a person.' }),
      })
      .meta({
        description: 'The requested facets, each with at most twenty values, most hits first.',
      }),
  })
  .meta({ id: 'Facets', description: 'Number of hits for each value.' });

/** How many records have each value, by facet. */
export type Facets = z.infer<typeof facetsSchema>;

/** Response of suggest: values of a field that contain a word with the typed prefix. */
export const suggestionsSchema = z
  .strictObject({
    field: z
      .string()
      .nullable()
      .meta({ description: 'The requested field; null for the names of all records.' }),
    prefix: text('The typed prefix.'),
    values: z
      .array(
        z.strictObject({
          value: text('A value, as it stands in a record.'),
          count: z.int().min(1).meta({ description: 'Number of records with this value.' }),
          kind: z
            .enum(KINDS)
            .optional()
            .meta({ description: 'Kind of the records with this value, if they are of one kind.' }),
          uuid: uuid.optional().meta({ description: 'The record, if only one has this value.' }),
        }),
      )
      .meta({
        description:
          'At most ten values: first those that begin with the prefix, then by number of records, then alphabetically.',
      }),
  })
  .meta({ id: 'Suggestions', description: 'Values of a field that match a prefix.' });

/** Values of a field with a prefix. */
export type Suggestions = z.infer<typeof suggestionsSchema>;

/** Body of an error response (RFC 9457). Other members are lists for programs. */
export const problemSchema = z
  .looseObject({
    type: text('Identifies the kind of problem: URL of its help page.'),
    title: text('Name of the kind of problem.'),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: text('What is wrong with this request.'),
    expected: z.string().optional().meta({ description: 'What is expected instead.' }),
  })
  .meta({ id: 'Problem', description: 'An error response (RFC 9457).' });
