import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HashedBytes } from '@archiefkast/client/node';

/** Size and SHA-256 of a file. */
export interface FileProof extends HashedBytes {
  name: string;
}

/** Computes size and SHA-256 of a file. */
export async function fileProof(path: string, name: string): Promise<FileProof> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const block: Buffer = chunk;
    hash.update(block);
    bytes += block.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}
