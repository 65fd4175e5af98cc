import { hash } from 'node:crypto';

/** The lines of some records as a journal and a jsonl file hold them: one JSON text per line. */
export interface RecordLines {
  /** In UTF-8. Good until the next lines are made. */
  bytes: Uint8Array;
  /** The SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** Makes lines of records. */
export type LineMaker = (records: readonly unknown[]) => RecordLines;

const FIRST_CAPACITY = 256 * 1024;
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

/** Makes a maker of lines, which uses the same memory again and again: a harvest makes many lines. */
export function createLineMaker(): LineMaker {
  let memory = Buffer.allocUnsafe(FIRST_CAPACITY);

  return (records) => {
    let length = 0;
    for (const record of records) {
      const line = `${JSON.stringify(record)}\n`;
      const needed = length + line.length * MOST_BYTES_PER_UNIT;
      if (needed > memory.length) {
        const larger = Buffer.allocUnsafe(2 * needed);
        memory.copy(larger, 0, 0, length);
        memory = larger;
      }
      length += memory.write(line, length);
    }
    const bytes = memory.subarray(0, length);
    return { bytes, sha256: hash('sha256', bytes, 'hex') };
  };
}
