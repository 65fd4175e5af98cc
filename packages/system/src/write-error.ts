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

/** Converts an operating system error during a write to a WriteError; other errors are returned unchanged. */
export function writeFailure(path: string, error: unknown): unknown {
  return isSystemError(error) ? new WriteError(path, error) : error;
}
