/** A file cannot be written: the disk is full, or writing is not allowed. */
export class WriteError extends Error {
  override name = 'WriteError';

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
  }
}

/** Whether the operating system refused something, such as reading a file or writing to a full disk. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Whether a file or a folder is not there. */
export function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** What to throw for a failure while a file was written: a WriteError where the operating system refused something. */
export function writeFailure(path: string, error: unknown): unknown {
  return isSystemError(error) ? new WriteError(path, error) : error;
}
