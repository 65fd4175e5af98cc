import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareManifest, createReport, isUnmoved } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestReport, type HarvestStore } from '@archiefkast/client/node';
import { isMissing, isSystemError, writeWhole } from '@archiefkast/system';
import type { Manifest } from '@archiefkast/types';
import type { Kind } from '@archiefkast/types/kinds';
import type { WrittenFormats } from '../formats/formats.ts';
import { HarvestSource } from '../formats/source.ts';
import { type FileProof, fileProof } from '../formats/write-files.ts';
import { resolveReferences } from './references.ts';

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

/** The proof in a harvest's folder. */
export const PROOF_FILE = 'harvest.json';

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

/** What a proof says of a harvest as its store has it: all but the files, and how they were made. */
export type ProvenWalk = Omit<Proof, 'tool' | 'formats' | 'files'>;

/**
 * What a store proves: what was reported of it, and whether its references lead to records.
 *
 * @param report of the harvest that has just filled it; by default its records are counted, and compared with its manifest
 * @throws FolderError
 */
export async function proveWalk(store: HarvestStore, report: HarvestReport = readReport(store)) {
  const { served_edition: _, manifest_of, differences, ...walked } = report;
  const source = new HarvestSource(store);
  const references = await resolveReferences(source.kinds, (kind) => source.records(kind));
  const problems = [...references.unresolved, ...differences];
  const proven: ProvenWalk = {
    ...walked,
    complete: isUnmoved(walked) && problems.length === 0,
    problems,
    published_as: problems.length === 0 ? manifest_of : null,
  };
  return { proven, ...references };
}

/** Reports the harvest in a store as it was reported when it ended. @throws FolderError */
function readReport(store: HarvestStore): HarvestReport {
  const report = createReport(store);
  const text = store.text('manifest');
  const manifest: Manifest | undefined = text && JSON.parse(text);
  const kinds = report.kinds.map(({ kind }) => kind);
  return {
    ...report,
    manifest_of: manifest ? String(manifest.edition.id) : null,
    differences: (manifest && compareManifest(manifest, kinds, store)) ?? [],
  };
}

/** Creates the proof of a harvest. @param files all of its files */
export function makeProof(
  version: string,
  {
    source,
    language,
    edition,
    started,
    finished,
    complete,
    problems,
    published_as,
    moved,
    kinds,
  }: ProvenWalk,
  formats: WrittenFormats,
  files: readonly FileProof[],
): Proof {
  const walked = { tool: `archive-cli ${version}`, source, language, edition, started, finished, complete };
  return { ...walked, formats, problems, published_as, moved, kinds, files: [...files] };
}

/** Compares each file of a harvest with its proof; returns the differences as sentences. */
export async function compareFiles(folder: string, { files }: Proof): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    try {
      const found = await fileProof(join(folder, name), name);
      if (found.bytes !== bytes) problems.push(`${name}: ${found.bytes} bytes, expected ${bytes}`);
      else if (found.sha256 !== sha256) problems.push(`${name}: its content has changed`);
    } catch (error) {
      if (!(error instanceof Error && isSystemError(error))) throw error;
      problems.push(`${name}: cannot be read (${error.message})`);
    }
  }
  return problems;
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
