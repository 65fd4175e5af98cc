import { join } from 'node:path';
import { STORE_FILE } from '@archiefkast/client/internal/node';
import { HarvestStore } from '@archiefkast/client/node';
import { KINDS, type Kind } from '@archiefkast/types/kinds';

/** The kinds whose records a store has. */
export function kindsOf(store: HarvestStore): Kind[] {
  return KINDS.filter((kind) => store.kindWalk(kind));
}

/**
 * Opens the records of a harvest, or of a bundle, which is read into a temporary store.
 *
 * @throws FolderError if the path is neither, or a bundle has lines or cells that are not records
 */
export async function openRecords(path: string): Promise<HarvestStore> {
  const harvest = HarvestStore.read(join(path, STORE_FILE));
  if (harvest) return harvest;
  const { storeBundle } = await import('./bundle-store.ts');
  return storeBundle(path);
}
