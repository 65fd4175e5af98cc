import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnmoved } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestReport, type HarvestStore } from '@archiefkast/client/node';
import { isMissing, isSystemError, writeWhole } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types/kinds';
import type { WrittenFormats } from '../formats/formats.ts';
import type { FileProof } from '../formats/write-files.ts';

/** The proof that a harvest is complete, without its hash. */
export interface Proof extends Omit<HarvestReport, 'served_edition' | 'manifest_of' | 'differences'> {
  tool: string;
  /** Whether the archive did not change and the records have no problems. */
  complete: boolean;
  formats: WrittenFormats;
  problems: string[];
  /** The edition whose manifest, stored next to the proof, has the hash of each kind's records. */
  published_as: string | null;
  files: FileProof[];
}

const PROOF_FILE = 'harvest.json';

/** The text of a proof's file. The hash at its end is that of the proof without it. */
function proofText(proof: Proof): string {
  const sha256 = createHash('sha256').update(JSON.stringify(proof)).digest('hex');
  return `${JSON.stringify({ ...proof, sha256 }, null, 2)}\n`;
}

/** Writes the proof of a harvest. */
export async function writeProof(folder: string, proof: Proof): Promise<void> {
  await writeWhole(join(folder, PROOF_FILE), (file) => file.writeFile(proofText(proof)));
}

/**
 * Reads the proof of a harvest; undefined if it is missing.
 *
 * @throws FolderError if any byte of it was changed
 */
export async function readProof(folder: string): Promise<Proof | undefined> {
  const path = join(folder, PROOF_FILE);
  try {
    const text = await readFile(path, 'utf8');
    const { sha256: _, ...proof }: Proof & { sha256: string } = JSON.parse(text);
    if (proofText(proof) === text) return proof;
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isSystemError(error)) throw error;
  }
  throw new FolderError(`${path} is damaged; delete it, and run the harvest command to create it again`);
}

/** Creates the proof of a harvest. @param files all of its files */
export function makeProof(
  version: string,
  report: HarvestReport,
  files: readonly FileProof[],
  written: Pick<Proof, 'formats' | 'problems' | 'published_as'>,
): Proof {
  const { source, language, edition, started, finished, moved, kinds } = report;
  const complete = isUnmoved(report) && written.problems.length === 0;
  const tool = `archive-cli ${version}`;
  const walked = { tool, source, language, edition, started, finished, complete };
  return { ...walked, ...written, moved, kinds, files: [...files] };
}

/** Name of the manifest in a harvest's folder: an exact copy of the served one. */
export const MANIFEST_FILE = 'manifest.json';

/** What may be missing in a harvest without a supplement. */
export const WITHOUT_SUPPLEMENT =
  'The archive offers no supplement.jsonl: subjects of events without a location may be missing, and dates may be years or months';

/** Whether a harvest of some kinds may lack what a supplement says. */
export function lacksSupplement(store: HarvestStore, kinds: readonly Kind[]): boolean {
  return store.text('supplement') === undefined && (kinds.includes('person') || kinds.includes('event'));
}
