import { join } from 'node:path';
import { STORE_FILE } from '@archiefkast/client/internal/node';
import { HarvestStore } from '@archiefkast/client/node';
import type { Output } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { compareFiles, readProof } from './proof/proof.ts';

/** The kinds whose records a store has. */
export function kindsOf(store: HarvestStore): Kind[] {
  return KINDS.filter((kind) => store.kindWalk(kind));
}

/**
 * Opens the records of a harvest, or of a bundle, which is read into a temporary store. The records of a harvest are those of its store:
 * stderr says which of its files are not, and if it is unfinished.
 *
 * @throws FolderError if the path is neither, or a bundle has lines or cells that are not records
 */
export async function openRecords(path: string, stderr: Output): Promise<HarvestStore> {
  const harvest = HarvestStore.read(join(path, STORE_FILE));
  if (harvest) {
    const proof = await readProof(path);
    const changed = proof ? await compareFiles(path, proof) : [];
    const advice = `to compare or count the files, copy them to a folder without it`;
    if (!proof) stderr.write(`archive-cli: ${path} contains an unfinished harvest: records may be missing\n`);
    for (const what of changed) stderr.write(`archive-cli: ${join(path, what)}\n`);
    if (changed.length > 0)
      stderr.write(`These are the records of ${STORE_FILE}, as they were harvested; ${advice}.\n`);
    return harvest;
  }
  const { storeBundle } = await import('./bundle-store.ts');
  return storeBundle(path);
}
