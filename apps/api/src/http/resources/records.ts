import {
  briefEntrySchema,
  briefRecordSchemas,
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
    content: jsonContent(pageSchemas[kind], briefPageSchemas[kind], selectedPageSchemas[kind]),
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
    content: jsonContent(recordSchemas[kind], briefRecordSchemas[kind], selectedRecordSchemas[kind]),
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
  person: pageOf('person', recordSchemas.person, 'PersonPage'),
  subject: pageOf('subject', recordSchemas.subject, 'SubjectPage'),
  location: pageOf('location', recordSchemas.location, 'LocationPage'),
  event: pageOf('event', recordSchemas.event, 'EventPage'),
};

/** The schema of a search page. */
export const searchPageSchema = envelopeSchema(searchEntrySchema).meta({
  id: 'SearchPage',
  description: 'A page of search.',
});

/** The schema of a list page with `fields=brief`, by kind. */
const briefPageSchemas: Readonly<Record<Kind, z.ZodType>> = {
  person: pageOf('person', briefRecordSchemas.person, 'PersonBriefPage', 'with fields=brief'),
  subject: pageOf('subject', briefRecordSchemas.subject, 'SubjectBriefPage', 'with fields=brief'),
  location: pageOf('location', briefRecordSchemas.location, 'LocationBriefPage', 'with fields=brief'),
  event: pageOf('event', briefRecordSchemas.event, 'EventBriefPage', 'with fields=brief'),
};

/** The schema of a search page with `fields=brief`. */
export const briefSearchPageSchema = envelopeSchema(briefEntrySchema).meta({
  id: 'SearchBriefPage',
  description: 'A page of search, with fields=brief.',
});

/** The schema of a list page with selected fields, by kind. */
const selectedPageSchemas: Readonly<Record<Kind, z.ZodType>> = {
  person: pageOf('person', selectedRecordSchemas.person, 'PersonFieldsPage', 'with the selected fields'),
  subject: pageOf('subject', selectedRecordSchemas.subject, 'SubjectFieldsPage', 'with the selected fields'),
  location: pageOf(
    'location',
    selectedRecordSchemas.location,
    'LocationFieldsPage',
    'with the selected fields',
  ),
  event: pageOf('event', selectedRecordSchemas.event, 'EventFieldsPage', 'with the selected fields'),
};

/** The schema of a search page with selected fields. */
export const selectedSearchPageSchema = envelopeSchema(selectedEntrySchema).meta({
  id: 'SearchFieldsPage',
  description: 'A page of search, with the selected fields.',
});

function pageOf(kind: Kind, record: z.ZodType, id: string, which = ''): z.ZodType {
  const description = [`A page of the list of ${COLLECTIONS[kind]}`, which].filter(Boolean).join(', ');
  return envelopeSchema<z.ZodType>(record).meta({ id, description: `${description}.` });
}
