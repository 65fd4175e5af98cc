import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFailure } from './write-error.ts';

/**
 * Writes a file atomically, also in case of a power cut: to a temporary file next to it, `….part`, which is renamed at the
 * end. Only one process at a time may write a path.
 *
 * @param write writes the content
 * @throws WriteError if the file cannot be written; else what `write` throws
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.part`;
  await renameAtTheEnd(path, temporary, async () => {
    await using file = await open(temporary, 'w');
    await write(file);
    await file.sync();
  });
}

/**
 * Like `writeWhole`, for a file that `make` opens itself, at a unique path: safe to run concurrently, the last process wins.
 *
 * @param make creates the file at the given path
 */
export async function replaceWhole(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.tmp-${randomBytes(6).toString('hex')}`;
  await renameAtTheEnd(path, temporary, async () => {
    await make(temporary);
    await syncFile(temporary);
  });
}

/** Renames a temporary file to its own name, as `writeWhole` does. @throws WriteError */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await renameAtTheEnd(path, temporary, () => syncFile(temporary));
}

async function renameAtTheEnd(path: string, temporary: string, make: () => Promise<void>): Promise<void> {
  try {
    await make();
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeFailure(path, error);
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}

/** Flushes the names in a folder to the disk. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}
