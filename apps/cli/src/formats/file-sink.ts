import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { writeFailure } from '@archiefkast/system';
import type { HashedBytes } from '../proof/kind-content.ts';
import type { FileProof } from './file-proof.ts';
import type { FileParts } from './format.ts';

/** Parts are collected up to this many bytes before they are written. */
const BLOCK = 64 * 1024;

/** Takes what a file holds, in parts, and proves it. */
export interface FileSink extends AsyncDisposable {
  /** @throws WriteError */
  write(parts: FileParts): void;
  /** Writes what waits. @throws WriteError */
  finish(): FileProof;
}

/** Where a file is written, and what is known of it. */
export interface FileSinkOptions {
  /** Its own name. */
  name: string;
  /** Where it is written first. */
  path: string;
  /** What errors call it. */
  shownPath: string;
  /** What proves the bytes, where they were hashed already. */
  proven?: HashedBytes | undefined;
}

/** Opens a file to be written anew. @throws WriteError */
export async function openFileSink({ name, path, shownPath, proven }: FileSinkOptions): Promise<FileSink> {
  const file = await open(path, 'w').catch((error) => {
    throw writeFailure(shownPath, error);
  });
  const block = Buffer.allocUnsafe(BLOCK);
  const hash = createHash('sha256');
  let filled = 0;
  let bytes = 0;

  function put(data: Buffer): void {
    if (!proven) hash.update(data);
    bytes += data.length;
    try {
      // Without waiting for another thread, which would take longer than the copy into the system's memory.
      writeFileSync(file.fd, data);
    } catch (error) {
      throw writeFailure(shownPath, error);
    }
  }

  return {
    write(parts) {
      for (const part of parts) {
        const length = Buffer.byteLength(part);
        if (filled + length > BLOCK) {
          put(block.subarray(0, filled));
          filled = 0;
        }
        if (length > BLOCK) put(typeof part === 'string' ? Buffer.from(part) : part);
        else filled += typeof part === 'string' ? block.write(part, filled) : part.copy(block, filled);
      }
    },
    finish() {
      put(block.subarray(0, filled));
      if (proven && proven.bytes !== bytes) {
        throw new Error(`${name}: ${bytes} bytes were written where there are ${proven.bytes}`);
      }
      return { name, bytes, sha256: proven?.sha256 ?? hash.digest('hex') };
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
