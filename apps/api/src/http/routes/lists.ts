import {
  briefRecordSchemas,
  COLLECTIONS,
  envelopeSchema,
  isUuid,
  type Kind,
  type Language,
  listUrl,
  PAGE_SIZE,
  recordPage,
  recordSchemas,
  selectedRecordSchemas,
} from '@archiefkast/types';
import type { z } from 'zod';
import type { Chunk } from '../../edition/chunks.ts';
import { positionsInRange, type Range, type RecordKey } from '../../edition/record-keys.ts';
import { canonicalUrl, pageOf, selectionsAsked } from '../parameters.ts';
import { invalidPage, noSuchRecord } from '../problems.ts';
import {
  type Answer,
  type ArchiveRequest,
  JSON_TYPE,
  jsonContent,
  type Route,
  type RouteDependencies,
} from '../route.ts';

/** The list of a kind. */
export function listRoute(kind: Kind, dependencies: RouteDependencies): Route {
  return {
    path: `/api/${COLLECTIONS[kind]}`,
    name: `List of ${COLLECTIONS[kind]}`,
    description: `All ${COLLECTIONS[kind]} by id, ten per page.`,
    group: 'Records',
    kind,
    content: jsonContent(pageSchemas[kind], briefPageSchemas[kind], selectedPageSchemas[kind]),
    parameters: ['edition', 'fields', 'format', 'page'],
    async handle(request) {
      const { language, parameters, open } = request;
      const { edition } = open;
      const count = edition.counts[kind];
      const keys = listKeys(kind, pageRange(parameters, count));
      const results = await readRequestedFields(dependencies, request, [kind], keys);
      const url = listUrl(dependencies.baseUrl, language, kind);
      return listAnswer({ url, parameters, count, total: edition.total, language }, results);
    },
  };
}

/** A single record of a kind. */
export function detailRoute(kind: Kind, dependencies: RouteDependencies): Route {
  const { queries, baseUrl } = dependencies;
  return {
    path: `/api/${COLLECTIONS[kind]}/:uuid`,
    name: `One ${kind}`,
    description: `A single ${kind}, as in the list.`,
    group: 'Records',
    kind,
    content: jsonContent(recordSchemas[kind], briefRecordSchemas[kind], selectedRecordSchemas[kind]),
    parameters: ['edition', 'fields', 'format'],
    async handle(request) {
      const { language, parameters, segment, open } = request;
      const { edition } = open;
      const uuid = segment('uuid');
      const position = isUuid(uuid)
        ? await queries.findPosition(edition.id, kind, uuid.toLowerCase())
        : undefined;
      if (position === undefined) throw noSuchRecord(kind, uuid);
      const records = await readRequestedFields(dependencies, request, [kind], [{ kind, position }]);
      const page = recordPage(baseUrl, language, kind, uuid.toLowerCase());
      const alternate = canonicalUrl(
        page,
        [...parameters].filter(([name]) => name === 'edition'),
      );
      return { contentType: JSON_TYPE, body: records.flat(), links: { alternate } };
    },
  };
}

/**
 * The records with the requested fields.
 *
 * @param kinds the kinds of records that the response can contain
 * @throws Problem for a field that none of these kinds has
 */
export async function readRequestedFields(
  { reader }: Pick<RouteDependencies, 'reader'>,
  { language, parameters, open: { edition } }: ArchiveRequest,
  kinds: readonly Kind[],
  keys: readonly RecordKey[],
): Promise<Chunk[][]> {
  return reader.read(edition, language, keys, selectionsAsked(parameters, kinds));
}

/** The keys of the records in a range of the list of a kind. */
export function listKeys(kind: Kind, range: Range): RecordKey[] {
  return positionsInRange(range).map((position) => ({ kind, position }));
}

/** The schema of a list page, by kind. */
const pageSchemas = pagesOf(recordSchemas, 'Page', '');

/** The schema of a list page with `fields=brief`, by kind. */
const briefPageSchemas = pagesOf(briefRecordSchemas, 'BriefPage', ', with fields=brief');

/** The schema of a list page with selected fields, by kind. */
const selectedPageSchemas = pagesOf(selectedRecordSchemas, 'FieldsPage', ', with the selected fields');

/** The schema of a list page of each kind, registered for OpenAPI under names such as `PersonPage`. */
function pagesOf(
  schemas: Readonly<Record<Kind, z.ZodType>>,
  suffix: string,
  which: string,
): Readonly<Record<Kind, z.ZodType>> {
  const pageOf = (kind: Kind, name: string) =>
    envelopeSchema(schemas[kind]).meta({
      id: `${name}${suffix}`,
      description: `A page of the list of ${COLLECTIONS[kind]}${which}.`,
    });
  return {
    person: pageOf('person', 'Person'),
    subject: pageOf('subject', 'Subject'),
    location: pageOf('location', 'Location'),
    event: pageOf('event', 'Event'),
  };
}

/** The facts of a list besides its results. */
export interface ListFacts {
  /** URL of the list, without query. */
  url: string;
  /** Normalized by `readParameters`. */
  parameters: URLSearchParams;
  count: number;
  total: number;
  language: Language;
}

/** The response of a list: the envelope with its results, and the `Link` header. */
export function listAnswer(
  { url, parameters, count, total, language }: ListFacts,
  results: readonly Chunk[][],
): Answer {
  const page = pageOf(parameters);
  const last = lastPage(count, PAGE_SIZE);
  const address = (number: number) => canonicalUrl(url, withPage(parameters, number));
  const next = page < last ? address(page + 1) : null;
  const previous = page > 1 ? address(page - 1) : null;
  const head = JSON.stringify({ next, previous, count, total, language, results: [] }).slice(0, -2);
  const body = [head, ...results.flatMap((result, index) => (index === 0 ? result : [',', ...result])), ']}'];
  return {
    contentType: JSON_TYPE,
    body,
    links: {
      first: address(1),
      ...(previous !== null && { prev: previous }),
      ...(next !== null && { next }),
      last: address(last),
    },
  };
}

/**
 * The offsets in the list, from 0, of the records on a page.
 *
 * @throws Problem if the page is out of range; an empty list has one page
 */
export function pageRange(parameters: URLSearchParams, count: number): { start: number; end: number } {
  const page = pageOf(parameters);
  const last = lastPage(count, PAGE_SIZE);
  if (page > last) throw invalidPage(last);
  const start = (page - 1) * PAGE_SIZE;
  return { start, end: Math.min(start + PAGE_SIZE, count) };
}

/** The number of the last page. */
export function lastPage(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, size)));
}

/** The parameters with another page, in alphabetical order; page 1 is omitted. */
function withPage(parameters: URLSearchParams, page: number): [string, string][] {
  const others = [...parameters].filter(([name]) => name !== 'page');
  const all: [string, string][] = page > 1 ? [...others, ['page', String(page)]] : others;
  return all.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
