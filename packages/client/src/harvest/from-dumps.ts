import { hash } from 'node:crypto';
import {
  dumpOf,
  fileQuestion,
  readLines,
  readManifest,
  readRecords,
  type ServedManifest,
  supplementOf,
} from '../dumps.ts';
import { FolderError, responseError, StatusError } from '../errors.ts';
import type { Connection } from '../request/request.ts';
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
  const { baseUrl } = connection;
  const served = await readManifest(connection, walk.edition ?? undefined);
  if (!served) throw noDumps(baseUrl, walk.edition);
  const { manifest } = served;
  await forAllKinds(running, async (harvest) => {
    const { kind, signal, store } = harvest;
    const dump = dumpOf(manifest, kind, walk.events);
    if (!dump) throw responseError(baseUrl, `expected a dump of the ${kind} records`);
    if (store.kindWalk(kind)?.finished_at) return;
    const last = store.lastPage(kind);
    if (last) onEvent({ type: 'resume', kind, pages: last.page, records: last.records });
    const question = { ...fileQuestion(connection, manifest, dump, store.bytes(kind)), signal };
    const records = readRecords(connection, kind, question, walk.events);
    await storeStream(harvest, question.url, manifest, records);
  });
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
  connection: Connection,
  { manifest }: ServedManifest,
  store: HarvestStore,
): Promise<void> {
  const offered = supplementOf(manifest);
  if (!offered) {
    store.setText('supplement', undefined);
    return;
  }
  const question = fileQuestion(connection, manifest, offered);
  const expected = { schema: 'Supplement', expected: 'a supplement', lenient: true } as const;
  const decoder = new TextDecoder();
  let all = '';
  for await (const batch of readLines(connection, question, expected))
    for (const { line } of batch) all += decoder.decode(line);
  const sha256 = hash('sha256', all);
  if (sha256 !== offered.sha256)
    throw responseError(question.url, `expected the bytes with the SHA-256 ${offered.sha256}, not ${sha256}`);
  store.setText('supplement', all);
}
