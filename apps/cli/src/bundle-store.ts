import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { BundleError, type FaultList, findBundle, type RecordSource } from '@archiefkast/bundle';
import { linesOf } from '@archiefkast/client/internal/node';
import { FolderError, HarvestStore } from '@archiefkast/client/node';
import { type Fields, isObject } from '@archiefkast/types/internal/fields';
import { KINDS, type Kind } from '@archiefkast/types/kinds';

/**
 * Reads the records of a bundle, whatever its form, into a temporary store.
 *
 * @throws FolderError if the path is not a bundle, or it has lines or cells that are not records
 */
export async function storeBundle(path: string): Promise<HarvestStore> {
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
  const unknown = {
    retrieved_at: '',
    next: null,
    edition: null,
    etag: null,
    moved: [],
    retries: 0,
    waited_ms: 0,
  };
  const add = () => {
    page += 1;
    const facts = { ...unknown, page, url, count: 0, total: 0, records: 0 };
    store.addPage(kind, facts, waiting, linesOf(waiting));
    waiting = [];
  };
  for await (const record of records) {
    waiting.push(record);
    if (waiting.length === BATCH) add();
  }
  if (waiting.length > 0) add();
}
