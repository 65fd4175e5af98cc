/** A file that is made from an edition when it is read: the same bytes every time. */
export interface VirtualFile {
  /** Its size in bytes; undefined while it has never been made in full. */
  size: number | undefined;
  /** Its size in bytes; makes the file, without keeping it, where that is not known yet. */
  measure(): Promise<number>;
  /**
   * Its bytes from `start` up to `end`, which is not included: from the first to the last if not given.
   *
   * @throws RangeError for a start other than 0 while the size is not known
   */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
}
