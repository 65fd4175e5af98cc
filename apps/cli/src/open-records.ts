import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BundleError, type FaultList, findBundle, type RecordSource } from '@archiefkast/bundle';
import { linesOf, STORE_FILE } from '@archiefkast/client/internal/node';
import { FolderError, HarvestStore, type PageFacts } from '@archiefkast/client/node';
import { type Fields, isObject } from '@archiefkast/types/internal/fields';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import type { CommandContext } from './commands/command-context.ts';
import { compareFiles, readProof } from './proof/proof.ts';

/**
 * Opens the records of a harvest, or of a bundle, which is read into a temporary store. The records of a harvest are those of its store:
 * stderr says which of its files are not, and if it is unfinished.
 *
 * @throws FolderError if the path is neither, or a bundle has lines or cells that are not records
 */
export async function openRecords(path: string, { stderr, name }: CommandContext): Promise<HarvestStore> {
  const harvest = HarvestStore.read(join(path, STORE_FILE));
  if (!harvest) return storeBundle(path);
  const proof = await readProof(path);
  if (!proof) stderr.write(`${name}: ${path} contains an unfinished harvest: records may be missing\n`);
  const changed = proof ? await compareFiles(path, proof) : [];
  for (const what of changed) stderr.write(`${name}: ${join(path, what)}\n`);
  if (changed.length > 0)
    stderr.write(
      `These are the records of ${STORE_FILE}, as they were harvested; to compare or count the files, copy them to a folder without it.\n`,
    );
  return harvest;
}

/** Reads the records of a bundle, whatever its form, into a temporary store. @throws FolderError */
async function storeBundle(path: string): Promise<HarvestStore> {
  const files = await findBundle(path).catch(explain(`${path} contains no records`));
  const store = HarvestStore.open('');
  try {
    await files.read(async (source, faults) => {
      for (const kind of KINDS) await storeRecords(store, kind, path, readRecords(source, kind, faults));
      faults.throwIfAny();
      const { supplement } = source;
      const hasSupplement = supplement !== undefined && existsSync(supplement);
      store.setText('supplement', hasSupplement ? await readFile(supplement, 'utf8') : '');
    });
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    return explain(path)(error);
  }
}

/** Throws an error again, that of a bundle as a FolderError with the path. */
function explain(what: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof BundleError ? new FolderError(`${what}: ${error.message}`) : error;
  };
}

/** The records of a kind as they are, unchecked. Those without a uuid are added to `faults`. */
async function* readRecords(source: RecordSource, kind: Kind, faults: FaultList): AsyncGenerator<Fields> {
  for await (const { at, value, reason } of source.records(kind, faults)) {
    if (isObject(value) && typeof value['uuid'] === 'string') yield value;
    else faults.add({ ...source.at(kind, at), reason: reason ?? 'expected a record with a uuid' });
  }
}

const BATCH = 100;

async function storeRecords(
  store: HarvestStore,
  kind: Kind,
  url: string,
  records: AsyncIterable<Fields>,
): Promise<void> {
  store.begin(kind);
  let waiting: Fields[] = [];
  let page = 0;
  const add = () => {
    page += 1;
    store.addPage(kind, { ...NO_PAGE, page, url }, waiting, linesOf(waiting));
    waiting = [];
  };
  for await (const record of records) {
    waiting.push(record);
    if (waiting.length === BATCH) add();
  }
  if (waiting.length > 0) add();
}

/** What is known of a page that was not served: nothing. */
const NO_PAGE: Omit<PageFacts, 'extra' | 'page' | 'url'> = {
  ...{ retrieved_at: '', next: null, edition: null, etag: null, moved: [] },
  ...{ count: 0, total: 0, records: 0, retries: 0, waited_ms: 0 },
};
