/** A file that is generated when it is read, with the same bytes every time. */
export interface VirtualFile {
  /** Size in bytes; undefined if it is only known when the file has been generated. */
  size: number | undefined;
  /** Whether it is stored on disk rather than generated. */
  isStored?: true;
  /** The bytes from `start` to `end`, exclusive, of a file whose size is known; all by default. */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
}

/** A file of unknown size. */
export function fileMadeBy(read: () => AsyncIterable<Buffer>): VirtualFile {
  return { size: undefined, read };
}
