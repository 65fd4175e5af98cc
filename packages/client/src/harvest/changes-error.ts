import { ArchiveError } from '../errors/archive-errors.ts';

/** A feed of changes that is not there, or does not give what the archive published. */
export class ChangesError extends ArchiveError {
  override name = 'ChangesError';
}
