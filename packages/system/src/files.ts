import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, mkdtempDisposable, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasLineFeed, splitLines } from './split-lines.ts';

/** A file cannot be written: the disk is full, or writing is not allowed. */
export class WriteError extends Error {
  override name = 'WriteError';

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
  }
}

/** Whether an error comes from the operating system, such as a full disk. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Whether an error means that a file or folder is missing. */
export function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Runs `work` with a new temporary folder, which is removed afterwards; a killed process leaves it.
 *
 * @param prefix of the folder's name, such as `archive-tables-`
 * @throws WriteError if the folder cannot be created; what `work` throws
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await using folder = await mkdtempDisposable(join(tmpdir(), prefix)).catch((error: unknown) => {
    throw new WriteError(`the folder of temporary files (TMPDIR), ${tmpdir()},`, error);
  });
  return await work(folder.path);
}

/**
 * Creates a folder and its parents, if they do not exist. Node's own `recursive` never ends below a folder that cannot have
 * any, such as `/proc`.
 *
 * @throws WriteError if it cannot be created, or is not a folder
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw new WriteError(path, error);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Writes a file atomically, also in case of a power cut: to a temporary file next to it, `….part`, which is renamed at the
 * end. Only one process at a time may write a path.
 *
 * @param write writes the content
 * @throws WriteError if the file cannot be written; else what `write` throws
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await putInPlace(`${path}.part`, path, async (temporary) => {
    await using file = await open(temporary, 'w');
    await write(file);
  });
}

/**
 * Like `writeWhole`, for a file that `make` opens itself, at a unique path: safe to run concurrently, the last process wins.
 *
 * @param make creates the file at the given path
 */
export async function replaceWhole(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  await putInPlace(`${path}.tmp-${randomBytes(6).toString('hex')}`, path, make);
}

/**
 * Renames a temporary file to its own name, as `writeWhole` does; after a failure it is removed.
 *
 * @param make creates it
 * @throws WriteError; else what `make` throws
 */
export async function putInPlace(
  temporary: string,
  path: string,
  make: (temporary: string) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await make(temporary);
    await flush(temporary, 'r+');
    await rename(temporary, path);
    await flush(dirname(path), 'r');
  } catch (error) {
    await rm(temporary, { force: true });
    throw isSystemError(error) ? new WriteError(path, error) : error;
  }
}

/** Flushes a file, or the names in a folder, to the disk. */
async function flush(path: string, flags: string): Promise<void> {
  await using file = await open(path, flags);
  await file.sync();
}

/** A line of a text file. */
export interface TextLine {
  /** From 1. */
  number: number;
  /** The text without its line feed; undefined if the bytes are not UTF-8. */
  text: string | undefined;
}

/** Size of a block. A larger one outlives young generations while its lines are used, and is freed late. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Reads the lines of a UTF-8 file that are not blank; a byte order mark is skipped. One line and one block are in memory at a time.
 *
 * @throws the file system's error if the file cannot be read
 */
export async function* readTextLines(path: string): AsyncGenerator<TextLine, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes: Uint8Array): string | undefined => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
  let number = 0;
  for await (const lines of splitLines(createReadStream(path, { highWaterMark: BLOCK_BYTES }))) {
    for (const bytes of lines) {
      number += 1;
      const text = decoded(hasLineFeed(bytes) ? bytes.subarray(0, -1) : bytes);
      if (text === undefined || text.trim() !== '') yield { number, text };
    }
  }
}

/** Size and SHA-256 of a file. */
export async function hashOfFile(path: string): Promise<{ bytes: number; sha256: string }> {
  await using file = await open(path);
  const hash = createHash('sha256');
  // One buffer: those of a stream pile up until they are collected.
  const buffer = Buffer.alloc(1024 * 1024);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}
