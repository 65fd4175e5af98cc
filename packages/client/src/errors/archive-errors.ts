/** Base class of the errors of this library. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** An option is invalid; the message names the option and the expected value. */
export class OptionError extends ArchiveError {
  override name = 'OptionError';
}

/** A folder cannot be used: it contains another harvest, or none. */
export class FolderError extends ArchiveError {
  override name = 'FolderError';
}
