import { join } from 'node:path';
import { type ClientOptions, createClient, type ServedManifest } from '@archiefkast/client';
import { type HarvestReport, JOURNAL_FOLDER, takeSupplement } from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';
import type { FileOptions } from '../formats/formats.ts';
import { createHarvestSource } from '../formats/source.ts';
import type { FileWriter } from '../formats/write-files.ts';
import { compareManifest, MANIFEST_FILE } from '../proof/compare-manifest.ts';
import type { KindContent } from '../proof/kind-content.ts';
import { isComplete, makeProof } from '../proof/make-proof.ts';
import type { Proof } from '../proof/proof-file.ts';
import { resolveReferences } from '../proof/resolve-references.ts';
import { askArchiveWords, writeArchiveWords } from '../records/archive-words.ts';

/** A harvest whose walks are finished. */
export interface WalkedHarvest {
  folder: string;
  journalFolder: string;
  report: HarvestReport;
  /** Content of the records, collected during the walks. */
  contents: ReadonlyMap<Kind, KindContent>;
  writer: FileWriter;
  /** Formats and options of the files. */
  written: FileOptions & { formats: string[] };
  options: ClientOptions;
}

/** A harvest with the result of its checks. */
export interface CheckedHarvest extends WalkedHarvest {
  /** Manifest of the same edition, if the archive offers one. */
  served: ServedManifest | undefined;
  /** Whether the manifest was compared with all kinds. */
  isCompared: boolean;
  /** Whether the archive offers what its records cannot say. */
  hasSupplement: boolean;
  /** Problems, as sentences. */
  problems: string[];
}

/** Checks a harvest: its references, and the hashes in the manifest. */
export async function checkHarvest(walked: WalkedHarvest): Promise<CheckedHarvest> {
  const { folder, report, journalFolder, contents, options } = walked;
  const served = isComplete(report) ? await findManifest(options, report.servedEdition) : undefined;
  const edition = report.servedEdition;
  const words =
    edition === null
      ? undefined
      : await askArchiveWords(report.language, (language) =>
          createClient({ ...options, language }).index(edition),
        );
  if (words) await writeArchiveWords(journalFolder, words, join(folder, JOURNAL_FOLDER));
  const hasSupplement = served ? await takeSupplement(options, served, journalFolder) : false;
  const differences = served && compareManifest(served.manifest, contents);
  return {
    ...walked,
    served: differences && served,
    isCompared: differences !== undefined,
    hasSupplement,
    problems: [...resolveReferences(contents).unresolved, ...(differences ?? [])],
  };
}

/** Fetches the manifest of an edition; undefined if the archive names no editions or offers no manifest. */
async function findManifest(
  options: ClientOptions,
  edition: string | null,
): Promise<ServedManifest | undefined> {
  if (edition === null) return undefined;
  const served = await createClient(options).manifest(edition);
  return served && String(served.manifest.edition.id) === edition ? served : undefined;
}

/** Writes the files of a harvest; returns its proof. */
export async function writeHarvest(checked: CheckedHarvest): Promise<Proof> {
  const { journalFolder, report, contents, writer, served, isCompared, hasSupplement, problems } = checked;
  const kinds = report.kinds.map(({ kind }) => kind);
  const source = createHarvestSource(journalFolder, kinds, contents);
  // Without a manifest, that of an earlier edition is removed.
  const proofs = await writer.write(source, { [MANIFEST_FILE]: served?.text });
  return makeProof(journalFolder, report, proofs, {
    ...checked.written,
    hasSupplement,
    problems,
    published_as: served && isCompared && problems.length === 0 ? String(served.manifest.edition.id) : null,
  });
}
