import type { ArchiveDescription } from '@archiefkast/bundle';
import { mediaAddress } from '@archiefkast/bundle/media-path';
import { eventCollectionSchema, locationCollectionSchema } from '@archiefkast/formats/geojson';
import { COLLECTIONS, type Kind, type Manifest, manifestSchema } from '@archiefkast/types';
import type { z } from 'zod';
import {
  ABBREVIATED_DUMP,
  DUMP_FORMATS,
  DUMPS,
  type Dump,
  fileNameOf,
  LINKED_DUMP,
  SUPPLEMENT_DUMP,
} from '../../edition/dump-names.ts';
import { originalOf } from '../../edition/identity.ts';
import { withPictureAddresses } from '../../edition/own-pages.ts';
import { type Edition, nameEdition } from '../../storage/edition.ts';
import { formAsked } from '../parameters.ts';
import { json, jsonContent, type Route, type RouteDependencies } from '../route.ts';
import { FORM_PARAMETERS } from './lists.ts';
import { findPositions, MOST_FOUND } from './search.ts';

/** The schemas of the kinds that maps show. */
const COLLECTION_SCHEMAS: Partial<Record<Kind, z.ZodType>> = {
  location: locationCollectionSchema,
  event: eventCollectionSchema,
};

/** All records of a kind in one file, or those that match a query; GeoJSON can be filtered by bounding box too. */
export function dumpRoute(dump: Dump, { dumps }: RouteDependencies): Route {
  const { kind, format, path } = dump;
  const { contentType, description } = DUMP_FORMATS[format];
  const schema = format === 'geojson' ? COLLECTION_SCHEMAS[kind] : undefined;
  return {
    path,
    name: `All ${COLLECTIONS[kind]} (${format})`,
    description: `All ${COLLECTIONS[kind]} by id, ${description}. With q, only those that match, by relevance; with sort, in another order.`,
    group: 'Bulk',
    content: {
      contentType,
      hasRanges: format === 'jsonl',
      ...(schema && { schemas: [schema] }),
    },
    problems: ['too-many-hits', 'unwritable-record'],
    parameters: [
      ...(schema ? (['bbox'] as const) : []),
      'edition',
      ...(format === 'jsonl' ? FORM_PARAMETERS[kind] : []),
      'q',
      'sort',
    ],
    async handle(request) {
      const { language, parameters, open } = request;
      const file = { ...dump, ...formAsked(parameters, [kind]) };
      const found = await findPositions(request, { kind, most: MOST_FOUND });
      const body = found
        ? dumps.openFound(open.edition, language, file, found)
        : await dumps.open(open.edition, language, file);
      return { body };
    },
  };
}

/** What the records of the other dumps cannot say, in one file. */
export function supplementRoute({ dumps }: RouteDependencies): Route {
  const { path, contentType } = SUPPLEMENT_DUMP;
  return {
    path,
    name: 'Supplement of the dumps (jsonl)',
    description:
      'What persons and events cannot say, one record on a line: dates of which less than a day is known, and the subjects of events without a location. The same in every language.',
    group: 'Bulk',
    content: { contentType },
    parameters: ['edition'],
    handle: async ({ open: { edition } }) => ({ body: dumps.openSupplements(edition) }),
  };
}

/** A file as the manifest lists it. */
interface ListedFile extends Pick<Dump, 'path' | 'isAbbreviated'> {
  name: string;
  contentType: string;
}

/** The list of dumps, with sizes and hashes of their records, so that clients can detect truncated downloads. */
export function manifestRoute(dependencies: RouteDependencies): Route {
  const { dumps, baseUrl } = dependencies;
  return {
    path: '/api/dump/manifest.json',
    name: 'Manifest of the dumps',
    description:
      'The dumps with their URL, size and the hashes of their records, and the edition and licence.',
    group: 'Bulk',
    content: jsonContent(manifestSchema),
    parameters: ['edition'],
    async handle({ language, parameters, open: { edition } }) {
      // URLs name the edition, because the hashes are not those of a later one.
      const named = parameters.get('edition') ?? String(edition.id);
      const file = ({ name, path, contentType, isAbbreviated }: ListedFile) => ({
        name,
        url: `${baseUrl}/${language}${path}?edition=${named}${isAbbreviated ? '&events=abbreviated' : ''}`,
        media_type: contentType,
      });
      const files: Manifest['dumps'] = [];
      for (const dump of [...DUMPS, ABBREVIATED_DUMP]) {
        const { kind, format } = dump;
        const { bytes, blocks } = format === 'jsonl' ? await dumps.readBlocks(edition, language, dump) : {};
        files.push({
          ...file({ ...dump, name: fileNameOf(dump), contentType: DUMP_FORMATS[format].contentType }),
          ...{ kind, records: edition.counts[kind], ...(blocks && { bytes, blocks }) },
        });
      }
      const supplement = { ...file(SUPPLEMENT_DUMP), ...(await dumps.measureSupplements(edition)) };
      const manifest: Manifest = {
        edition: nameEdition(edition),
        language,
        licence: edition.archive?.licence ?? null,
        archive: describeForCopies(edition, dependencies),
        dumps: [...files, supplement, { ...file(LINKED_DUMP), records: edition.total }],
      };
      return json(manifest);
    },
  };
}

/** What a copy of an edition says of the archive: what that says of itself, and which edition of whose it is. */
function describeForCopies(edition: Edition, dependencies: RouteDependencies): Manifest['archive'] {
  const { baseUrl, identityUrl: address, archiveId } = dependencies;
  const {
    uuid: _,
    partial_dates: __,
    logo,
    pages,
    ...words
  }: Partial<ArchiveDescription> = edition.archive ?? {};
  const { id, ...name } = nameEdition(edition);
  return {
    ...words,
    ...(logo !== undefined && { logo: mediaAddress(baseUrl, logo) }),
    ...(pages && { pages: withPictureAddresses(pages, baseUrl) }),
    mirror_of: originalOf(words, dependencies) ?? { address, archive: archiveId(), edition: id, ...name },
  };
}
