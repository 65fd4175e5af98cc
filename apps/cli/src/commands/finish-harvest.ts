import { join } from 'node:path';
import { type ClientOptions, createClient, type ServedManifest } from '@archiefkast/client';
import { type HarvestReport, type HarvestStore, STORE_FILE, takeSupplement } from '@archiefkast/client/node';
import type { FileOptions } from '../formats/formats.ts';
import { createHarvestSource } from '../formats/source.ts';
import { type FileProof, type FileWriter, fileProof } from '../formats/write-files.ts';
import { askArchiveWords, storeArchiveWords } from '../proof/archive-words.ts';
import { compareManifest, isUnmoved, MANIFEST_FILE, makeProof, type Proof } from '../proof/proof.ts';
import { resolveReferences } from '../proof/references.ts';

/** A harvest with the result of its checks. */
export interface CheckedHarvest {
  /** Manifest of the same edition that lists all kinds, if the archive offers one. */
  served: ServedManifest | undefined;
  /** Problems, as sentences. */
  problems: string[];
}

/**
 * Checks a harvest: its references, and the hashes in the manifest. Stores what the archive says of itself, and what its
 * records cannot say.
 *
 * @param held store of the harvest that is updated
 */
export async function checkHarvest(
  options: ClientOptions,
  store: HarvestStore,
  report: HarvestReport,
  held?: HarvestStore,
): Promise<CheckedHarvest> {
  const edition = report.servedEdition;
  const served = isUnmoved(report) && edition !== null ? await findManifest(options, edition) : undefined;
  if (edition !== null) {
    const ask = (language: typeof report.language) => createClient({ ...options, language }).index(edition);
    const words = await askArchiveWords(report.language, ask);
    if (words) storeArchiveWords(store, words, held);
  }
  if (served) await takeSupplement(options, served, store);
  const { kinds, records } = createHarvestSource(store);
  const differences = served && compareManifest(served.manifest, store, kinds);
  const { unresolved } = await resolveReferences(kinds, records);
  return { served: differences && served, problems: [...unresolved, ...(differences ?? [])] };
}

/** Fetches the manifest of an edition; undefined if the archive offers none. */
async function findManifest(options: ClientOptions, edition: string): Promise<ServedManifest | undefined> {
  const served = await createClient(options).manifest(edition);
  return served && String(served.manifest.edition.id) === edition ? served : undefined;
}

/** Writes the files of a harvest. */
export async function writeHarvest(
  writer: FileWriter,
  store: HarvestStore,
  { served }: CheckedHarvest,
): Promise<FileProof[]> {
  // Without a manifest, that of an earlier edition is removed.
  const more = { [MANIFEST_FILE]: served?.text };
  return await writer.write(createHarvestSource(store), more, (files) => store.addFiles(files));
}

/** Creates the proof of a harvest whose store is closed, and in its folder. */
export async function proveHarvest(
  folder: string,
  report: HarvestReport,
  { served, problems }: CheckedHarvest,
  files: readonly FileProof[],
  written: FileOptions & { formats: string[] },
): Promise<Proof> {
  const published_as = served && problems.length === 0 ? String(served.manifest.edition.id) : null;
  const all = [...files, await fileProof(join(folder, STORE_FILE), STORE_FILE)];
  return makeProof(report, all, { ...written, problems, published_as });
}
