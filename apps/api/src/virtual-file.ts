/** A lower bound of the size of a file, or its size. */
export interface Extent {
  bytes: number;
  /** Whether `bytes` is the size. */
  isWhole: boolean;
}

/** A file that is generated when it is read, with the same bytes every time. */
export interface VirtualFile {
  /** Size in bytes; undefined if it was never measured. */
  size: number | undefined;
  /** Whether it is stored on disk rather than generated. */
  isStored?: true;
  /**
   * Generates the file, without storing it, until it is known whether it has `end` bytes.
   *
   * @param signal cancels; parts that were measured stay known
   * @throws the reason of the signal
   */
  measure(end: number, signal?: AbortSignal): Promise<Extent>;
  /**
   * The bytes from `start` to `end`, exclusive; all by default.
   *
   * @throws RangeError for a part that has not been measured
   */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
}

/** A file without an index: any part is generated from the beginning. */
export function fileMadeBy(make: () => AsyncIterable<Buffer>): VirtualFile {
  return {
    size: undefined,
    async measure(end, signal) {
      let bytes = 0;
      for await (const made of make()) {
        signal?.throwIfAborted();
        bytes += made.length;
        if (bytes > end) return { bytes, isWhole: false };
      }
      return { bytes, isWhole: true };
    },
    async *read(start = 0, end = Infinity) {
      let at = 0;
      for await (const bytes of make()) {
        const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at));
        at += bytes.length;
        if (wanted.length > 0) yield wanted;
        if (at >= end) return;
      }
    },
  };
}
