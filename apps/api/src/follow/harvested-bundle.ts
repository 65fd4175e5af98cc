import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ARCHIVE_FILE,
  type Bundle,
  bundleFiles,
  type FaultList,
  parseArchiveDescription,
  type RecordSource,
  SUPPLEMENT_FILE,
} from '@archiefkast/bundle';
import { readArchiveWords } from '@archiefkast/client/internal/node';
import { FolderError, HarvestStore } from '@archiefkast/client/node';
import { writeWhole } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types';

/**
 * A harvest as a bundle: the records of its store, as they came. Only the supplement becomes a file, beside the store.
 *
 * @throws FolderError if there is no harvest, or it does not say of which archive it is a copy
 */
export async function openHarvested(path: string): Promise<Bundle> {
  const supplement = join(dirname(path), SUPPLEMENT_FILE);
  using harvested = openStore(path);
  await writeWhole(supplement, (file) => file.writeFile(harvested.text('supplement') ?? ''));
  return bundleFiles([path, supplement], async (faults) => openSource(path, supplement, faults));
}

function openStore(path: string): HarvestStore {
  const store = HarvestStore.read(path);
  if (store && readArchiveWords(store)?.mirror_of) return store;
  throw new FolderError(`${path} contains no harvest that says of which archive it is a copy`);
}

function openSource(path: string, supplement: string, faults: FaultList): RecordSource {
  const store = openStore(path);
  const archiveAt = { file: ARCHIVE_FILE };
  const fileOf = (kind: Kind) => COLLECTIONS[kind];
  return {
    archive: parseArchiveDescription(readArchiveWords(store), faults, ([field]) => ({
      ...archiveAt,
      field: String(field),
    })),
    archiveAt,
    unread: [],
    supplement,
    fileOf,
    at: (kind, line, field) => ({ file: fileOf(kind), line, field }),
    async *records(kind) {
      let at = 0;
      for (const block of store.blocks(kind)) {
        await nextTurn();
        for (const text of block.toString().split('\n').slice(0, -1)) {
          at += 1;
          yield { at, value: JSON.parse(text), length: text.length };
        }
      }
    },
    close: () => store[Symbol.dispose](),
  };
}
