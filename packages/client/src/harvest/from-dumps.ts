import { createHash } from 'node:crypto';
import type { ArchiveRecord, Manifest } from '@archiefkast/types';
import { type ClientOptions, repairedUrl, withEdition } from '../client-options.ts';
import { contractSchemas } from '../contract-schemas.ts';
import { dumpOf, fileQuestion, readManifest, type ServedManifest, supplementOf } from '../dumps.ts';
import { FolderError, responseError, StatusError } from '../errors.ts';
import { checkOf, createDecoder, parseAnswer } from '../request/check-answer.ts';
import { connect } from '../request/request.ts';
import type { RunningHarvest } from './harvest-options.ts';
import type { HarvestStore } from './store.ts';
import { forAllKinds, storeStream } from './walk-kind.ts';

/**
 * Reads the dumps of some kinds into the store, in pages like those of a walk. The first failure aborts all.
 *
 * @throws FolderError if the server offers no dumps; StatusError with 410 if the edition is no longer kept
 */
export async function takeDumps(running: RunningHarvest): Promise<void> {
  const { connection, onEvent, walk } = running;
  const { baseUrl, lenient } = connection;
  const served = await readManifest(connection, walk.edition ?? undefined);
  if (!served) throw noDumps(baseUrl, walk.edition);
  const { manifest } = served;
  await forAllKinds(running, async (harvest) => {
    const { kind, signal, store } = harvest;
    const dump = dumpOf(manifest, kind);
    const url = dump && pinnedUrl(dump.url, baseUrl, manifest);
    if (!dump || !url)
      throw responseError(baseUrl, `expected a dump of the ${kind} records at the same host`);
    if (store.kindWalk(kind)?.finished_at) return;
    const last = store.lastPage(kind);
    if (last) onEvent({ type: 'resume', kind, pages: last.page, records: last.records });
    const check = checkOf(contractSchemas, kind);
    const decode = createDecoder(url);
    const parse = (line: Uint8Array): ArchiveRecord =>
      parseAnswer(url, decode(line), check, `a ${kind} on each line`, lenient);
    const question = { ...fileQuestion(url, dump.bytes, store.bytes(kind)), signal };
    async function* read() {
      for await (const lines of connection.lines(question))
        yield lines.map((line) => ({ line, record: parse(line) }));
    }
    await storeStream(harvest, url, manifest, read());
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
  const { baseUrl, lines: linesOf } = connect(options);
  const url = pinnedUrl(offered.url, baseUrl, manifest);
  if (!url) throw responseError(offered.url, 'expected a supplement at the same host', text);
  const hash = createHash('sha256');
  const decode = createDecoder(url);
  let all = '';
  for await (const lines of linesOf(fileQuestion(url, offered.bytes))) {
    for (const bytes of lines) {
      const line = decode(bytes);
      parseAnswer(url, line, checkOf(contractSchemas, 'Supplement'), 'a supplement', true);
      hash.update(bytes);
      all += line;
    }
  }
  const sha256 = hash.digest('hex');
  if (sha256 !== offered.sha256)
    throw responseError(url, `expected the bytes with the SHA-256 ${offered.sha256}, not ${sha256}`);
  store.setText('supplement', all);
}
