import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WriteError } from '../errors/write-error.ts';

/**
 * Writes a file so that it is either there as a whole or not at all, also after a power cut: into a temporary
 * file beside it, which takes the file's name at the end.
 *
 * @param write writes the content
 * @throws WriteError when the file cannot be written; else what `write` throws
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.part`;
  try {
    const file = await open(temporary, 'w');
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw isSystemError(error) ? new WriteError(path, error) : error;
  }
}

/** Whether the operating system refused something, such as writing to a full disk. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Makes the names in a folder last through a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
