import { ArchiveError } from './archive-error.ts';

/** A folder cannot be used for what is asked: it holds another harvest, or none. */
export class FolderError extends ArchiveError {
  override name = 'FolderError';
}
