/** The base class of every error this library throws on purpose: `instanceof ArchiveError` tells them apart. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}
