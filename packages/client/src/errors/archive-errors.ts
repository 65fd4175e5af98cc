/** The base class of every error this library throws on purpose: `instanceof ArchiveError` tells them apart. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** An option has a value that cannot be used; the message names the option and what was expected. */
export class OptionError extends ArchiveError {
  override name = 'OptionError';
}

/** A folder cannot be used for what is asked: it holds another harvest, or none. */
export class FolderError extends ArchiveError {
  override name = 'FolderError';
}
