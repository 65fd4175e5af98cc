import { setTimeout as sleep } from 'node:timers/promises';
import { eventCollectionSchema, locationCollectionSchema } from '@archiefkast/formats/geojson';
import { COLLECTIONS, type Language, type Manifest, manifestSchema } from '@archiefkast/types';
import { DUMP_FORMATS, DUMPS, type Dump, fileNameOf } from '../../edition/dump-names.ts';
import type { MappedKind } from '../../edition/edition-reader.ts';
import { type Edition, nameEdition } from '../../storage/edition.ts';
import { type ArchiveRoute, json, jsonContent, type RouteDependencies } from '../contract/route.ts';
import { Problem } from '../problems/problems.ts';
import { findPositions } from './find.ts';

const MAPPED: readonly MappedKind[] = ['location', 'event'];

const COLLECTION_SCHEMAS = { location: locationCollectionSchema, event: eventCollectionSchema } as const;

/** Limit of records in a filtered dump. */
const MOST_FOUND = 100_000;

/** All records of a kind in one file, or those that match a query; GeoJSON can be filtered by bounding box too. */
export function dumpRoute(dump: Dump, { dumps }: RouteDependencies): ArchiveRoute {
  const { kind, format, path } = dump;
  const { contentType, description } = DUMP_FORMATS[format];
  const mapped = format === 'geojson' ? MAPPED.find((each) => each === kind) : undefined;
  return {
    path,
    name: `All ${COLLECTIONS[kind]} (${format})`,
    description: `All ${COLLECTIONS[kind]} by id, ${description}. With q, only those that match, by relevance; with sort, in another order.`,
    group: 'Bulk',
    kind,
    isFile: true,
    content: { contentType, ...(mapped && { schema: COLLECTION_SCHEMAS[mapped] }) },
    problems: ['too-many-hits', 'unwritable-record'],
    parameters: mapped ? ['bbox', 'edition', 'q', 'sort'] : ['edition', 'q', 'sort'],
    async answer(request) {
      const { edition } = request.open;
      const found = await findPositions(request, { kind, mapped, most: MOST_FOUND });
      const body = found
        ? dumps.openFound(edition, request.language, dump, found)
        : await dumps.open(edition, request.language, dump);
      return { contentType, body };
    },
  };
}

/** Timeout of the manifest; well below that of clients. */
const PATIENCE_MILLISECONDS = 8_000;

/** The list of dumps with size and hash, so that clients can detect truncated downloads. */
export function manifestRoute({ dumps, baseUrl }: RouteDependencies): ArchiveRoute {
  const describeFiles = (edition: Edition, named: string, language: Language, signal: AbortSignal) =>
    Promise.all(
      DUMPS.map(async (dump) => {
        const file = await dumps.open(edition, language, dump);
        const { bytes, sha256 } = await file.index(signal);
        return {
          name: fileNameOf(dump),
          // Names the edition, because the hash is not that of a later one.
          url: `${baseUrl}/${language}${dump.path}?edition=${named}`,
          media_type: DUMP_FORMATS[dump.format].contentType,
          kind: dump.kind,
          records: edition.counts[dump.kind],
          bytes,
          sha256,
        };
      }),
    );

  return {
    path: '/api/dump/manifest.json',
    name: 'Manifest of the dumps',
    description: 'The dumps with their URL, size and SHA-256, and the edition and licence.',
    group: 'Bulk',
    content: jsonContent(manifestSchema),
    problems: ['being-prepared', 'unwritable-record'],
    parameters: ['edition'],
    async answer({ language, parameters, open: { edition }, signal }) {
      const named = parameters.get('edition') ?? String(edition.id);
      const manifest: Manifest = {
        edition: nameEdition(edition),
        language,
        licence: edition.archive?.licence ?? null,
        files: await within(describeFiles(edition, named, language, signal), PATIENCE_MILLISECONDS),
      };
      return json([JSON.stringify(manifest)]);
    },
  };
}

/** @throws Problem if `work` takes longer than `milliseconds`; it continues in the background for the next request */
async function within<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  const stop = new AbortController();
  const timeout = sleep(milliseconds, undefined, { ref: false, signal: stop.signal }).then(() => {
    throw beingPrepared();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    stop.abort();
    timeout.catch(() => {});
    work.catch(() => {});
  }
}

function beingPrepared(): Problem {
  return new Problem(
    'being-prepared',
    {
      en: 'The size and hash of the dumps are being computed; this happens once per edition.',
      nl: 'De grootte en hash van de bestanden worden berekend; dat gebeurt eenmaal per editie.',
    },
    { en: 'the same request after a few seconds', nl: 'hetzelfde verzoek, enkele seconden later' },
  );
}
