import { nameOf, wordingOf } from '@archiefkast/formats/record-view';
import { KIND_NAMES, KINDS, type Kind, type Language, recordPage } from '@archiefkast/types';
import { z } from 'zod';
import type { OpenRecordViews } from '../../edition/record-views.ts';
import { type Bilingual, Problem } from '../../http/problems.ts';
import { type ArchiveRequest, json, jsonContent, type Route } from '../../http/route.ts';
import { fold, MATCHED_PROPERTIES, type Query, type SoughtRecord, wordsOf } from '../../search/index.ts';
import type { Edition, RecordKey } from '../../storage/edition.ts';
import type { Protocol, ProtocolTools } from '../protocol.ts';

/** Limit of the queries of a batch, and of the candidates of each. */
export const MOST_QUERIES = 50;
const MOST_CANDIDATES = 20;
const CANDIDATES = 5;
const MOST_SUGGESTED = 10;
/** Limit of the properties of a query, and of all their values together. */
const MOST_VALUES = 20;
/** Limit of the length of a value, in UTF-16 code units. */
const LONGEST_VALUE = 500;
/** Limit of the texts that are looked up as spellings of the words of a batch: some hundreds for a usual word. */
const MOST_TEXTS = 200_000;

/** The names of the properties by which candidates are told apart. */
const PROPERTY_NAMES: Readonly<Record<string, Bilingual>> = {
  birth_date: { en: 'Date of birth', nl: 'Geboortedatum' },
  death_date: { en: 'Date of death', nl: 'Sterfdatum' },
  birth_place: { en: 'Place of birth', nl: 'Geboorteplaats' },
  death_place: { en: 'Place of death', nl: 'Sterfplaats' },
  date: { en: 'Date of an event', nl: 'Datum van een gebeurtenis' },
  city: { en: 'City of a location', nl: 'Plaats van een locatie' },
  subject: { en: 'Subject', nl: 'Onderwerp' },
};

const typeSchema = z.looseObject({ id: z.string(), name: z.string() });

const manifestSchema = z
  .looseObject({
    versions: z.array(z.string()),
    name: z.string(),
    identifierSpace: z.string(),
    schemaSpace: z.string(),
    view: z.looseObject({ url: z.string() }),
    defaultTypes: z.array(typeSchema),
  })
  .meta({ id: 'ReconciliationManifest', description: 'What the service matches (Reconciliation API 0.2).' });

const candidateSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.array(typeSchema),
  score: z.number(),
  match: z.boolean(),
});

const resultSchema = z
  .record(z.string(), z.looseObject({ result: z.array(candidateSchema) }))
  .meta({ id: 'ReconciliationResult', description: 'The candidates of each query, the likeliest first.' });

const suggestionSchema = z
  .looseObject({ result: z.array(typeSchema) })
  .meta({ id: 'ReconciliationSuggestions', description: 'Records, kinds or properties, by their names.' });

/** A value of a property: of a matched record, its name. */
const textSchema = z.string().max(LONGEST_VALUE);
const valueSchema = z.union([
  textSchema,
  z.number().transform(String),
  z.boolean().transform(String),
  z.object({ id: textSchema, name: textSchema.optional() }).transform(({ id, name }) => name ?? id),
]);

const kindSchema = z.enum(KINDS);

const batchSchema = z.record(
  z.string(),
  z.object({
    query: textSchema,
    type: z
      .union([kindSchema.transform((kind) => [kind]), z.array(kindSchema).max(KINDS.length)])
      .default([]),
    limit: z.int().min(1).max(MOST_CANDIDATES).default(CANDIDATES),
    properties: z
      .array(
        z.object({
          pid: z.enum(Object.keys(MATCHED_PROPERTIES)),
          v: z.union([valueSchema.transform((value) => [value]), z.array(valueSchema).max(MOST_VALUES)]),
        }),
      )
      .max(MOST_VALUES)
      .refine((all) => all.flatMap(({ v }) => v).length <= MOST_VALUES, `at most ${MOST_VALUES} values`)
      .default([]),
    type_strict: z.enum(['any', 'all', 'should']).optional(),
  }),
);

type Batch = z.infer<typeof batchSchema>;

/** Matching of names with records, for OpenRefine and other clients of the Reconciliation API 0.2. */
export const RECONCILIATION: Protocol = {
  distributions: [
    {
      path: 'en/reconcile',
      encodingFormat: 'application/json',
      protocol: 'https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/',
      words: { nl: 'Namen vergelijken, voor OpenRefine', en: 'Matching of names, for OpenRefine' },
    },
  ],
  createRoutes: (tools) => ({ documented: [reconcileRoute(tools), ...suggestRoutes(tools)] }),
};

/** The manifest, and batches of queries. */
function reconcileRoute({ baseUrl, openViews }: ProtocolTools): Route {
  return {
    path: '/reconcile',
    name: 'Reconcile',
    description: `Matches names with records, for OpenRefine and other clients of the Reconciliation API 0.2. Without queries, what the service offers; else for each of at most ${MOST_QUERIES} queries the candidates, the likeliest first. match is true only if one record is meant beyond doubt.`,
    group: 'Search',
    content: jsonContent(manifestSchema, resultSchema),
    parameters: ['edition', 'queries'],
    takesForms: true,
    async handle(request) {
      const { language, parameters, open } = request;
      const queries = parameters.get('queries');
      if (queries === null) return json(manifest(baseUrl, language, open.edition));
      const batch = readBatch(queries);
      const results: [name: string, { result: object[] }][] = [];
      const budget = { texts: MOST_TEXTS };
      // In sequence: the index answers one at a time, and others should get their turn.
      for (const [name, query] of Object.entries(batch))
        results.push([name, { result: await match(request, query, openViews, budget) }]);
      return json(Object.fromEntries(results));
    },
  };
}

/** Suggestions as one types a name: of records, kinds and properties. */
function suggestRoutes({ baseUrl, openViews }: ProtocolTools): Route[] {
  const suggest = (
    of: string,
    handle: (request: ArchiveRequest, prefix: string) => Promise<object[]>,
  ): Route => ({
    path: `/reconcile/suggest/${of}`,
    name: `Suggest ${of}`,
    description: `For clients of the Reconciliation API 0.2: what has a name with words that begin with the prefix (${of}).`,
    group: 'Search',
    content: jsonContent(suggestionSchema),
    parameters: ['edition', 'prefix'],
    async handle(request) {
      return json({ result: await handle(request, request.parameters.get('prefix') ?? '') });
    },
  });
  const begins = (prefix: string) => (named: { name: string }) => fold(named.name).includes(fold(prefix));
  return [
    suggest('entity', async (request, prefix) => {
      const { open, signal, language } = request;
      const words = wordsOf(prefix);
      if (words.length === 0) return [];
      const phrases = words.map((word, at) => (at === words.length - 1 ? `${word}*` : word));
      const query: Query = { clauses: [{ type: 'words', field: 'name', phrases }], excluded: [] };
      const { hits } = await open.search.ask((index) => index.search(query, 0, MOST_SUGGESTED, signal));
      const described = await describe(request, hits, openViews);
      return described.map(({ type, ...record }) => ({
        ...record,
        notable: type,
        url: recordPage(baseUrl, language, type[0].id, record.id),
      }));
    }),
    suggest('type', async ({ language }, prefix) => types(language).filter(begins(prefix))),
    suggest('property', async ({ language }, prefix) => properties(language).filter(begins(prefix))),
  ];
}

function manifest(baseUrl: string, language: Language, { archive }: Edition): z.infer<typeof manifestSchema> {
  const service = (of: string) => ({
    service_url: `${baseUrl}/${language}`,
    service_path: `/reconcile/suggest/${of}`,
  });
  return {
    versions: ['0.2'],
    name: archive?.title[language] ?? 'Archive',
    identifierSpace: `${baseUrl}/id/`,
    schemaSpace: `${baseUrl}/openapi.json`,
    documentation: `${baseUrl}/docs`,
    view: { url: `${baseUrl}/id/{{id}}` },
    defaultTypes: types(language),
    suggest: { entity: service('entity'), type: service('type'), property: service('property') },
  };
}

function types(language: Language) {
  return KINDS.map((kind) => typeOf(kind, language));
}

function typeOf(kind: Kind, language: Language) {
  return { id: kind, name: KIND_NAMES[language][kind].one };
}

function properties(language: Language) {
  return Object.keys(MATCHED_PROPERTIES).map((id) => ({ id, name: PROPERTY_NAMES[id]?.[language] ?? id }));
}

/** Parses a batch. @throws Problem that names the query and the member that is wrong */
function readBatch(text: string): Batch {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid-queries', 'The parameter "queries" is not JSON.', EXPECTED_QUERIES);
  }
  const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  if (count > MOST_QUERIES) {
    throw new Problem(
      'invalid-queries',
      `The batch has ${count} queries.`,
      `at most ${MOST_QUERIES} queries`,
    );
  }
  const { data, error } = batchSchema.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const place = ['queries', ...(issue?.path ?? [])].join('.');
  throw new Problem('invalid-queries', `Invalid ${place}: ${issue?.message}.`, EXPECTED_QUERIES);
}

const EXPECTED_QUERIES = `queries={"q0":{"query":"Jan Calkoen","type":"person","properties":[{"pid":"birth_date","v":"1694"}]}}, with types ${KINDS.join(', ')} and properties ${Object.keys(MATCHED_PROPERTIES).join(', ')}`;

/** The candidates of a query, which looks up what its batch has left of `budget`. */
async function match(
  request: ArchiveRequest,
  query: Batch[string],
  openViews: OpenRecordViews,
  budget: { texts: number },
): Promise<object[]> {
  const { open, signal } = request;
  const sought: SoughtRecord = {
    name: query.query,
    kinds: query.type.length > 0 ? query.type : KINDS,
    properties: query.properties.map(({ pid, v }) => ({ name: pid, values: v })),
  };
  const { found, texts } = await open.search.ask((index) =>
    index.match(sought, query.limit, budget.texts, signal),
  );
  budget.texts -= texts;
  const described = await describe(request, found, openViews);
  return described.map((record, at) => ({
    ...record,
    score: found[at]?.score ?? 0,
    match: found[at]?.isMatch ?? false,
  }));
}

/** Records as clients of the service show them: by name, with dates and summary. */
async function describe(request: ArchiveRequest, keys: readonly RecordKey[], openViews: OpenRecordViews) {
  const { open, language } = request;
  const records = await openViews(open, language).look(({ card }) =>
    keys.map(({ kind, position }) => card(kind, position)),
  );
  return records.map((record) => {
    const lived = [record.birth_date, record.death_date].map((date) => (date ?? '').slice(0, 4));
    const when = lived.some(Boolean) ? lived.join('–') : record.date || record.date_start;
    return {
      id: record.uuid,
      name: nameOf(record, language).text,
      description: [when, record.city, wordingOf(record, 'summary', language).text]
        .filter(Boolean)
        .join(', '),
      type: [typeOf(record.kind, language)] as const,
    };
  });
}
