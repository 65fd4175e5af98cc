import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { FormatFile } from './format.ts';

/** What proves that a file is whole. */
export interface FileProof {
  name: string;
  bytes: number;
  sha256: string;
}

/** Lines are collected up to this many bytes before they are written. */
const BLOCK = 256 * 1024;

/** Writes a file of a format at a path; returns what proves that it is whole, under its own name. */
export async function produceFile(file: FormatFile, path: string): Promise<FileProof> {
  if ('make' in file) {
    await file.make(path);
    return fileProof(path, file.name);
  }
  await using handle = await open(path, 'w');
  return { name: file.name, ...(await writeParts(handle, file.parts())) };
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

async function writeParts(
  file: FileHandle,
  parts: AsyncIterable<readonly (string | Buffer)[]>,
): Promise<Omit<FileProof, 'name'>> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK);
  let filled = 0;
  let bytes = 0;
  const write = async (data: Buffer) => {
    hash.update(data);
    bytes += data.length;
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
  return { bytes, sha256: hash.digest('hex') };
}
