import { ArchiveError } from '../errors/archive-errors.ts';

/** A journal holds something that was not written so. `intactBytes` of the file, from its start, are whole. */
export class JournalDamageError extends ArchiveError {
  override name = 'JournalDamageError';
  readonly intactBytes: number;

  constructor(path: string, intactBytes: number, what: string) {
    super(`${path}: ${what} after byte ${intactBytes}`);
    this.intactBytes = intactBytes;
  }
}
