import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HashedBytes } from '../proof/kind-content.ts';

/** What proves that a file is whole. */
export interface FileProof extends HashedBytes {
  name: string;
}

/** What proves that a file is whole, read from the file. */
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
