import type { ArchiveRecord, Kind } from '@archiefkast/types';
import { fillOptions } from '../client-options.ts';
import { dumpOf } from '../dumps/manifest.ts';
import { readDump } from '../dumps/read-dump.ts';
import { FolderError } from '../errors/archive-errors.ts';
import { StatusError, WrongAnswerError } from '../errors/request-errors.ts';
import { assertMatches, MismatchError, type Schema } from '../request/assert-matches.ts';
import { createFetchWithin } from '../request/fetch-within.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { schemaOf, shapeOfKind } from '../shape/shapes.ts';
import { withEdition } from './pin-edition.ts';
import { forAllKinds, type RunningHarvest } from './running-harvest.ts';
import { storePages } from './store-pages.ts';
import type { WalkFile } from './walk-file.ts';

/**
 * Reads the dumps of some kinds into journals, in pages like those of a walk. The first failure aborts all.
 *
 * @throws FolderError if the server offers no dumps; StatusError with 410 if the edition is no longer kept
 */
export async function takeDumps(running: RunningHarvest, { edition }: WalkFile): Promise<void> {
  const { client, options, onEvent } = running;
  const served = await client.manifest(edition ?? undefined);
  if (!served) throw noDumps(running, edition);
  const { manifest } = served;
  const filled = fillOptions(options);
  const fetchWithin = createFetchWithin(filled.headers);
  await forAllKinds(running, async (kind, journal, signal) => {
    const dump = dumpOf(manifest, kind);
    const dumpUrl = dump && repairedUrl(dump.url, client.baseUrl);
    if (!dump || !dumpUrl) {
      throw new WrongAnswerError(
        client.baseUrl,
        `expected a dump of the ${kind} records at the same host`,
        '',
      );
    }
    const url = withEdition(dumpUrl, String(manifest.edition.id));
    const schema = schemaOf<ArchiveRecord>(shapeOfKind(kind));
    const lines: DumpLines = { url, kind, schema, lenient: filled.lenient };
    const parse = (line: Uint8Array) => ({ line, record: parseLine(lines, line) });
    await storePages(running, journal, {
      kind,
      url,
      manifest,
      async *read({ bytes: from }) {
        const reading = { ...filled, fetchWithin, url, from, bytes: dump.bytes, signal, onNotice: onEvent };
        for await (const lines of readDump(reading)) yield lines.map(parse);
      },
    });
  });
}

function noDumps({ client }: RunningHarvest, edition: string | null): Error {
  if (edition !== null)
    return new StatusError(client.baseUrl, 410, { detail: `edition ${edition} is no longer kept` });
  return new FolderError(`${client.baseUrl} offers no dumps; harvest its pages, without --from dumps`);
}

/** Parser of the lines of a dump. */
interface DumpLines {
  url: string;
  kind: Kind;
  schema: Schema<ArchiveRecord>;
  lenient: boolean;
}

function parseLine({ url, kind, schema, lenient }: DumpLines, line: Uint8Array): ArchiveRecord {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
  try {
    const record: unknown = JSON.parse(text);
    assertMatches(schema, record, lenient);
    return record;
  } catch (error) {
    if (!(error instanceof MismatchError || error instanceof SyntaxError)) throw error;
    throw new WrongAnswerError(url, `expected a ${kind} on each line, but ${error.message}`, text, {
      cause: error,
    });
  }
}
