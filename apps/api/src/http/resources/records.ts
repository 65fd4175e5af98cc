import {
  COLLECTIONS,
  envelopeSchema,
  isUuid,
  type Kind,
  listUrl,
  recordPage,
  recordSchemas,
  searchEntrySchema,
  selectedEntrySchema,
  selectedRecordSchemas,
} from '@archiefkast/types';
import type { z } from 'zod';
import type { Chunk } from '../../edition/chunks.ts';
import { listKeys, type RecordKey } from '../../edition/record-keys.ts';
import { listAnswer, pageRange } from '../answer/envelope.ts';
import {
  type ArchiveRequest,
  type ArchiveRoute,
  json,
  jsonContent,
  type RouteDependencies,
} from '../contract/route.ts';
import { noSuchRecord } from '../problems/common-problems.ts';
import { canonicalUrl, selectionsAsked } from '../request/parameters.ts';

/** The list of a kind. */
export function listRoute(kind: Kind, dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: `/api/${COLLECTIONS[kind]}`,
    name: `List of ${COLLECTIONS[kind]}`,
    description: `All ${COLLECTIONS[kind]} by id, ten per page.`,
    group: 'Records',
    kind,
    content: jsonContent(pageSchemas[kind], selectedPageSchemas[kind]),
    parameters: ['edition', 'fields', 'format', 'page'],
    async answer(request) {
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
export function detailRoute(kind: Kind, dependencies: RouteDependencies): ArchiveRoute {
  const { queries, baseUrl } = dependencies;
  return {
    path: `/api/${COLLECTIONS[kind]}/:uuid`,
    name: `One ${kind}`,
    description: `A single ${kind}, as in the list.`,
    group: 'Records',
    kind,
    content: jsonContent(recordSchemas[kind], selectedRecordSchemas[kind]),
    parameters: ['edition', 'fields', 'format'],
    async answer(request) {
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
      return { ...json(records.flat()), links: { alternate } };
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

/** The schema of a list page, by kind. */
const pageSchemas: Readonly<Record<Kind, z.ZodType>> = {
  person: pageOf('person', 'PersonPage'),
  subject: pageOf('subject', 'SubjectPage'),
  location: pageOf('location', 'LocationPage'),
  event: pageOf('event', 'EventPage'),
};

/** The schema of a search page. */
export const searchPageSchema = envelopeSchema(searchEntrySchema).meta({
  id: 'SearchPage',
  description: 'A page of search.',
});

/** The schema of a list page with selected fields, by kind. */
const selectedPageSchemas: Readonly<Record<Kind, z.ZodType>> = {
  person: selectedPageOf('person', 'PersonFieldsPage'),
  subject: selectedPageOf('subject', 'SubjectFieldsPage'),
  location: selectedPageOf('location', 'LocationFieldsPage'),
  event: selectedPageOf('event', 'EventFieldsPage'),
};

/** The schema of a search page with selected fields. */
export const selectedSearchPageSchema = envelopeSchema(selectedEntrySchema).meta({
  id: 'SearchFieldsPage',
  description: 'A page of search, with the selected fields.',
});

function selectedPageOf(kind: Kind, id: string): z.ZodType {
  return envelopeSchema<z.ZodType>(selectedRecordSchemas[kind]).meta({
    id,
    description: `A page of the list of ${COLLECTIONS[kind]}, with the selected fields.`,
  });
}

function pageOf(kind: Kind, id: string): z.ZodType {
  return envelopeSchema<z.ZodType>(recordSchemas[kind]).meta({
    id,
    description: `A page of the list of ${COLLECTIONS[kind]}.`,
  });
}
