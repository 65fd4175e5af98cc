import { createHash } from 'node:crypto';
import type { ArchiveRecord, Kind, Manifest, Supplement } from '@archiefkast/types';
import { NAME_OF_KIND, schemaOf } from '../answer-schemas.ts';
import { type ClientOptions, fillOptions } from '../client-options.ts';
import { contractSchemas } from '../contract-schemas.ts';
import { dumpOf, type ServedManifest, supplementOf } from '../dumps/manifest.ts';
import { FolderError } from '../errors/archive-errors.ts';
import { StatusError, WrongAnswerError } from '../errors/request-errors.ts';
import { assertMatches, MismatchError, type Schema } from '../request/assert-matches.ts';
import { createFetchWithin } from '../request/fetch-within.ts';
import { readDump } from '../request/lines.ts';
import { parseAnswer } from '../request/parse-answer.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { forAllKinds, type RunningHarvest, withEdition } from './running-harvest.ts';
import type { HarvestStore } from './store.ts';
import { storeStream } from './walk-kind.ts';

/**
 * Reads the dumps of some kinds into the store, in pages like those of a walk. The first failure aborts all.
 *
 * @throws FolderError if the server offers no dumps; StatusError with 410 if the edition is no longer kept
 */
export async function takeDumps(running: RunningHarvest): Promise<void> {
  const { client, options, onEvent, walk } = running;
  const served = await client.manifest(walk.edition ?? undefined);
  if (!served) throw noDumps(client.baseUrl, walk.edition);
  const { manifest } = served;
  const filled = fillOptions(options);
  const fetchWithin = createFetchWithin(filled.headers);
  await forAllKinds(running, async (harvest) => {
    const { kind, signal } = harvest;
    const dump = dumpOf(manifest, kind);
    const url = dump && pinnedUrl(dump.url, client.baseUrl, manifest);
    if (!dump || !url) {
      throw new WrongAnswerError(
        client.baseUrl,
        `expected a dump of the ${kind} records at the same host`,
        '',
      );
    }
    const schema = schemaOf<ArchiveRecord>(contractSchemas, NAME_OF_KIND[kind]);
    const lines: DumpLines = { url, kind, schema, lenient: filled.lenient };
    await storeStream(harvest, {
      url,
      manifest,
      async *read({ bytes: from }) {
        const reading = { ...filled, fetchWithin, url, from, bytes: dump.bytes, signal, onNotice: onEvent };
        for await (const some of readDump(reading))
          yield some.map((line) => ({ line, record: parseLine(lines, line) }));
      },
    });
  });
}

/** The address of a file of an edition; undefined if it is at another host. */
function pinnedUrl(url: string, baseUrl: string, { edition }: Manifest): string | undefined {
  const found = repairedUrl(url, baseUrl);
  return found && withEdition(found, String(edition.id));
}

function noDumps(baseUrl: string, edition: string | null): Error {
  if (edition !== null)
    return new StatusError(baseUrl, 410, { detail: `edition ${edition} is no longer kept` });
  return new FolderError(`${baseUrl} offers no dumps; harvest its pages, without --from dumps`);
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

const SUPPLEMENT = schemaOf<Supplement>(contractSchemas, 'Supplement');

/**
 * Downloads what the records of an edition cannot say into the store, and compares it with the manifest.
 *
 * @throws RequestError
 */
export async function takeSupplement(
  options: ClientOptions,
  { manifest, text }: ServedManifest,
  store: HarvestStore,
): Promise<void> {
  const offered = supplementOf(manifest);
  if (!offered) {
    store.setText('supplement', undefined);
    return;
  }
  const filled = fillOptions(options);
  const url = pinnedUrl(offered.url, filled.baseUrl, manifest);
  if (!url) throw new WrongAnswerError(offered.url, 'expected a supplement at the same host', text);
  const hash = createHash('sha256');
  const decoder = new TextDecoder();
  const fetchWithin = createFetchWithin(filled.headers);
  let all = '';
  for await (const lines of readDump({ ...filled, fetchWithin, url, from: 0, bytes: offered.bytes })) {
    for (const bytes of lines) {
      const line = decoder.decode(bytes);
      parseAnswer(url, line, SUPPLEMENT, 'a supplement', true);
      hash.update(bytes);
      all += line;
    }
  }
  const sha256 = hash.digest('hex');
  if (sha256 !== offered.sha256)
    throw new WrongAnswerError(
      url,
      `expected the bytes with the SHA-256 ${offered.sha256}, not ${sha256}`,
      '',
    );
  store.setText('supplement', all);
}
