/** How much of a file there is at least, or in all. */
export interface Extent {
  bytes: number;
  /** Whether that is its size. */
  isWhole: boolean;
}

/** A file that is made from an edition when it is read: the same bytes every time. */
export interface VirtualFile {
  /** Its size in bytes; undefined while it has never been made in full. */
  size: number | undefined;
  /** Whether it is stored, so that sending it makes nothing. */
  isStored?: true;
  /**
   * Makes as much of the file, without keeping it, as tells whether it has `end` bytes.
   *
   * @param signal nobody wants to know any more; what has been found out stays known
   * @throws the signal's reason
   */
  measure(end: number, signal?: AbortSignal): Promise<Extent>;
  /**
   * Its bytes from `start` up to `end`, which is not included: from the first to the last if not given.
   *
   * @throws RangeError for a part of a file that has not been measured so far
   */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
}

/** A file of which nothing is remembered: whatever part is read, it is made from its beginning. */
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
