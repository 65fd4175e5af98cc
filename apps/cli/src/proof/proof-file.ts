import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError } from '@archiefkast/client';
import { writeWhole } from '@archiefkast/system';
import type { Proof } from './proof-schema.ts';

export type { Proof } from './proof-schema.ts';

/** The name of the proof in a harvest's folder. */
export const PROOF_FILE = 'harvest.json';

/** The proof as its file holds it. The last line's hash is that of the proof without it. */
function proofText(proof: Proof): string {
  const sha256 = createHash('sha256').update(JSON.stringify(proof)).digest('hex');
  return `${JSON.stringify({ ...proof, sha256 }, null, 2)}\n`;
}

/** Writes the proof of a harvest. */
export async function writeProof(folder: string, proof: Proof): Promise<void> {
  const { proofSchema } = await import('./proof-schema.ts');
  await writeWhole(join(folder, PROOF_FILE), (file) => file.writeFile(proofText(proofSchema.parse(proof))));
}

/** A proof with files that were written anew, or for the first time. */
export function withFiles(proof: Proof, files: Proof['files']): Proof {
  const names = new Set(files.map(({ name }) => name));
  return { ...proof, files: [...files, ...proof.files.filter(({ name }) => !names.has(name))] };
}

/** A proof that is not as it was written. */
export class ProofDamageError extends ArchiveError {
  override name = 'ProofDamageError';

  constructor(path: string) {
    super(`${path} is not as it was written; delete it, and the harvest command makes it anew`);
  }
}

/**
 * Reads the proof of a harvest; undefined when there is none.
 *
 * @throws ProofDamageError when a byte of it is not as it was written
 */
export async function readProof(folder: string): Promise<Proof | undefined> {
  const path = join(folder, PROOF_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const proof = await parseProof(text);
  if (!proof || proofText(proof) !== text) throw new ProofDamageError(path);
  return proof;
}

/** What checks it is loaded where there is one: a new harvest begins without. */
async function parseProof(text: string): Promise<Proof | undefined> {
  const { proofSchema } = await import('./proof-schema.ts');
  try {
    const { sha256: _, ...proof } = Object(JSON.parse(text));
    return proofSchema.parse(proof);
  } catch {
    return undefined;
  }
}

/** The formats that a harvest was written in; a proof of version 1.0 does not name them. */
export function formatsOf({ formats, files }: Pick<Proof, 'formats' | 'files'>): string[] {
  return (
    formats ?? ['csv', 'jsonl'].filter((format) => files.some(({ name }) => name.endsWith(`.${format}`)))
  );
}
