import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { FileProof } from './file-proof.ts';
import type { FormatFile } from './format.ts';

/** Lines are collected up to this many bytes before they are written. */
const BLOCK = 256 * 1024;

/**
 * Writes a file of a format at a path; returns what proves that it is whole, under its own name.
 *
 * @param written what proves the files that were written before it
 */
export async function produceFile(
  file: FormatFile,
  path: string,
  written: readonly FileProof[] = [],
): Promise<FileProof> {
  if ('make' in file) {
    await file.make(path);
    return fileProof(path, file.name);
  }
  await using handle = await open(path, 'w');
  const { name, proven } = file;
  const hash = createHash('sha256');
  let bytes = 0;
  await writeParts(handle, file.parts(written), (data) => {
    if (!proven) hash.update(data);
    bytes += data.length;
  });
  if (proven && proven.bytes !== bytes) {
    throw new Error(`${name}: ${bytes} bytes were written where there are ${proven.bytes}`);
  }
  return { name, bytes, sha256: proven?.sha256 ?? hash.digest('hex') };
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

/** @param onWrite is told of all bytes, in their order */
async function writeParts(
  file: FileHandle,
  parts: AsyncIterable<readonly (string | Buffer)[]>,
  onWrite: (data: Buffer) => void,
): Promise<void> {
  const block = Buffer.allocUnsafe(BLOCK);
  let filled = 0;
  const write = async (data: Buffer) => {
    onWrite(data);
    await file.appendFile(data);
  };
  for await (const lines of parts) {
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (filled + length > BLOCK) {
        await write(block.subarray(0, filled));
        filled = 0;
      }
      if (length > BLOCK) await write(Buffer.from(line));
      else filled += typeof line === 'string' ? block.write(line, filled) : line.copy(block, filled);
    }
  }
  await write(block.subarray(0, filled));
}
