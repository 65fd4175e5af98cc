/** A record cannot be written into a table without a loss. */
export class TableError extends Error {
  override name = 'TableError';
}
