import { ArchiveError } from './archive-error.ts';

/** An option has a value that cannot be used; the message names the option and what was expected. */
export class OptionError extends ArchiveError {
  override name = 'OptionError';
}
