import { nameOf, wordingOf } from '@archiefkast/formats/record-view';
import { KIND_NAMES, KINDS, type Kind, type Language, recordPage } from '@archiefkast/types';
import { z } from 'zod';
import { type Addresses, namingOf } from '../../edition/identity.ts';
import type { OpenRecordViews } from '../../edition/record-views.ts';
import { Gate } from '../../gate.ts';
import { findRecord } from '../../http/find-record.ts';
import type { Bilingual } from '../../http/problems.ts';
import { type ArchiveRequest, json, jsonContent, type Route } from '../../http/route.ts';
import {
  fold,
  MATCHED_PROPERTIES,
  type MatchedRecord,
  type Query,
  type SoughtRecord,
  wordsOf,
} from '../../search/index.ts';
import type { Edition, RecordKey } from '../../storage/edition.ts';
import type { Protocol, ProtocolTools } from '../protocol.ts';
import { MOST_QUERIES, queryOfProperties, type ReadQuery, readBatch } from './read-batch.ts';

const MOST_SUGGESTED = 10;
/** Limit of the texts that are looked up as spellings of the words of a batch: some hundreds for a usual word. */
const MOST_TEXTS = 200_000;
/** Queries of batches that wait for those of others, and how long: other requests wait for one query of all batches. */
const TURNS = { underWay: 1, waiting: 100, milliseconds: 20_000 };
/** Score of a record that has the properties of a query without a name. */
const OF_PROPERTIES = 50;

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
    batchSize: z.int(),
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
  .record(z.string(), z.looseObject({ result: z.array(candidateSchema), message: z.string().optional() }))
  .meta({
    id: 'ReconciliationResult',
    description: 'The candidates of each query, the likeliest first; of one that is wrong, why.',
  });

const suggestionSchema = z
  .looseObject({ result: z.array(typeSchema) })
  .meta({ id: 'ReconciliationSuggestions', description: 'Records, kinds or properties, by their names.' });

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
function reconcileRoute(tools: ProtocolTools): Route {
  const turns = new Gate(TURNS);
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
      if (queries === null) return json(manifest(tools, language, open.edition));
      const results: [name: string, { result: object[] }][] = [];
      const budget = { texts: MOST_TEXTS };
      // In sequence: the index answers one at a time, and others should get their turn.
      for (const [name, query] of readBatch(queries)) {
        const answered = turns.pass(() => answer(tools, request, query, budget), request.signal);
        results.push([name, await answered]);
      }
      return json(Object.fromEntries(results));
    },
  };
}

/** Suggestions as one types a name: of records, kinds and properties. */
function suggestRoutes(tools: ProtocolTools): Route[] {
  const suggest = (
    of: string,
    handle: (request: ArchiveRequest, prefix: string, skipped: number) => Promise<object[]>,
  ): Route => ({
    path: `/reconcile/suggest/${of}`,
    name: `Suggest ${of}`,
    description: `For clients of the Reconciliation API 0.2: what has a name with words that begin with the prefix (${of}).`,
    group: 'Search',
    content: jsonContent(suggestionSchema),
    parameters: ['cursor', 'edition', 'prefix'],
    async handle(request) {
      const { parameters } = request;
      const skipped = Number(parameters.get('cursor') ?? 0);
      return json({ result: await handle(request, parameters.get('prefix') ?? '', skipped) });
    },
  });
  /** Those whose names have the prefix, which are few: all at once. */
  const beginning = (named: readonly { id: string; name: string }[], prefix: string, skipped: number) =>
    named.filter(({ name }) => fold(name).includes(fold(prefix))).slice(skipped);
  return [
    suggest('entity', async (request, prefix, skipped) => {
      const key = await findRecord(tools, request, prefix.trim());
      const hits = key
        ? [key].slice(skipped)
        : await search(request, startOfName(prefix), skipped, MOST_SUGGESTED);
      const described = await describe(request, hits, tools.openViews);
      return described.map(({ type, ...record }) => ({
        ...record,
        notable: type,
        url: recordPage(tools.baseUrl, request.language, type[0].id, record.id),
      }));
    }),
    suggest('type', async ({ language }, prefix, skipped) => beginning(types(language), prefix, skipped)),
    suggest('property', async ({ language }, prefix, skipped) =>
      beginning(properties(language), prefix, skipped),
    ),
  ];
}

/** The hits of a query from an offset on; none without a query. */
async function search(
  { open, signal }: ArchiveRequest,
  query: Query | undefined,
  offset: number,
  limit: number,
): Promise<RecordKey[]> {
  if (!query) return [];
  return (await open.search.ask((index) => index.search(query, offset, limit, signal))).hits;
}

/** The query for records with the words of a prefix in their names; undefined if it has none. */
function startOfName(prefix: string): Query | undefined {
  const words = wordsOf(prefix);
  const phrases = words.map((word, at) => (at === words.length - 1 ? `${word}*` : word));
  return words.length === 0
    ? undefined
    : { clauses: [{ type: 'words', field: 'name', phrases }], excluded: [] };
}

function manifest(
  addresses: Addresses,
  language: Language,
  { archive }: Edition,
): z.infer<typeof manifestSchema> {
  const { baseUrl } = addresses;
  const service = (of: string) => ({
    service_url: `${baseUrl}/${language}`,
    service_path: `/reconcile/suggest/${of}`,
  });
  return {
    versions: ['0.2'],
    name: archive?.title?.[language] ?? 'Archive',
    identifierSpace: `${namingOf(archive, addresses).identity}/id/`,
    schemaSpace: `${baseUrl}/openapi.json`,
    documentation: `${baseUrl}/docs`,
    view: { url: `${baseUrl}/id/{{id}}` },
    defaultTypes: types(language),
    batchSize: MOST_QUERIES,
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

/** The answer to a query: its candidates, or what is wrong with it. */
async function answer(
  tools: ProtocolTools,
  request: ArchiveRequest,
  query: ReadQuery,
  budget: { texts: number },
): Promise<{ result: object[]; message?: string }> {
  if ('message' in query) return { result: [], message: query.message };
  const found = await findCandidates(tools, request, query, budget);
  const described = await describe(request, found, tools.openViews);
  return {
    result: described.map((record, at) => ({
      ...record,
      score: found[at]?.score ?? 0,
      match: found[at]?.isMatch ?? false,
    })),
  };
}

/** The records that a query may mean: by its uuid, by its name, or without a name by its properties. */
async function findCandidates(
  tools: ProtocolTools,
  request: ArchiveRequest,
  { name, kinds, limit, properties }: SoughtRecord & { limit: number },
  budget: { texts: number },
): Promise<MatchedRecord[]> {
  const key = await findRecord(tools, request, name);
  if (key) return kinds.includes(key.kind) ? [{ ...key, score: 100, isMatch: true }] : [];
  if (name === '') {
    const hits = await search(request, queryOfProperties(kinds, properties), 0, limit);
    return hits.map((hit) => ({ ...hit, score: OF_PROPERTIES, isMatch: false }));
  }
  const { found, texts } = await request.open.search.ask((index) =>
    index.match({ name, kinds, properties }, limit, budget.texts, request.signal),
  );
  budget.texts -= texts;
  return found;
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
