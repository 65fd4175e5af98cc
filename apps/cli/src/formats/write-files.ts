import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceWhole } from '@archiefkast/system';
import type { FileProof } from './file-proof.ts';
import type { FormatFile } from './format.ts';
import type { OwnFiles } from './own-files.ts';
import { produceFile } from './produce-file.ts';

/** Writes files of formats, one after the other; what stands there and is the user's is not written over. */
export async function writeFiles(
  folder: string,
  files: readonly FormatFile[],
  own: OwnFiles,
  signal: AbortSignal,
): Promise<FileProof[]> {
  const proofs: FileProof[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    if (file.isWanted && !(await file.isWanted())) continue;
    proofs.push(await writeFile(folder, file, own, proofs));
  }
  return proofs;
}

async function writeFile(
  folder: string,
  file: FormatFile,
  own: OwnFiles,
  written: readonly FileProof[],
): Promise<FileProof> {
  const path = join(folder, file.name);
  let proof: FileProof = { name: file.name, bytes: 0, sha256: '' };
  const make = async (temporary: string) => {
    proof = await produceFile(file, temporary, written);
    await own.checkWriting(proof);
  };
  await mkdir(dirname(path), { recursive: true });
  await replaceWhole(path, make, `${path}.part`);
  return proof;
}
