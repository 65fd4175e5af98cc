import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { putInPlace } from '@archiefkast/system';
import type { FileProof } from './file-proof.ts';
import type { FormatFile } from './format.ts';
import type { OwnFiles } from './own-files.ts';
import { type Batch, inBatches, produceFiles } from './produce-files.ts';

/** Suffix of unfinished files. */
const UNFINISHED = '.part';

/** Writes files one after the other; files of the user are not overwritten. */
export async function writeFiles(
  folder: string,
  files: readonly FormatFile[],
  own: OwnFiles,
  signal: AbortSignal,
): Promise<FileProof[]> {
  const proofs: FileProof[] = [];
  for (const batch of inBatches(files)) {
    signal.throwIfAborted();
    const [{ name, isWanted }] = batch;
    if (isWanted && !(await isWanted())) {
      // An earlier harvest may have written it.
      if (await own.isProven(name)) await rm(join(folder, name));
      continue;
    }
    proofs.push(...(await writeBatch(folder, batch, own, proofs, signal)));
  }
  return proofs;
}

/** Writes the files of a batch to temporary names, and renames all of them at the end. */
async function writeBatch(
  folder: string,
  batch: Batch,
  own: OwnFiles,
  written: readonly FileProof[],
  signal: AbortSignal,
): Promise<FileProof[]> {
  const paths = batch.map(({ name }) => join(folder, name));
  for (const path of paths) await mkdir(dirname(path), { recursive: true });
  try {
    const proofs = await produceFiles(batch, { folder, ending: UNFINISHED, written, signal });
    for (const proof of proofs) await own.checkWriting(proof);
    for (const path of paths) await putInPlace(path + UNFINISHED, path);
    return proofs;
  } finally {
    for (const path of paths) await rm(path + UNFINISHED, { force: true });
  }
}
