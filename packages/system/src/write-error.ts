/** A file cannot be written: the disk is full, or writing is not allowed. */
export class WriteError extends Error {
  override name = 'WriteError';

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
  }
}
