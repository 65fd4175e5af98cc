import { createReadStream } from 'node:fs';
import { hasLineFeed, splitLines } from './split-lines.ts';

/** A line of a text file. */
export interface TextLine {
  /** From 1. */
  number: number;
  /** The text without its line feed; undefined if the bytes are not UTF-8. */
  text: string | undefined;
}

/** Size of a block. A larger one outlives young generations while its lines are used, and is freed late. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Reads the lines of a UTF-8 file that are not blank; a byte order mark is skipped. One line and one block are in memory at a time.
 *
 * @throws the file system's error if the file cannot be read
 */
export async function* readTextLines(path: string): AsyncGenerator<TextLine, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes: Uint8Array): string | undefined => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
  let number = 0;
  for await (const lines of splitLines(createReadStream(path, { highWaterMark: BLOCK_BYTES }))) {
    for (const bytes of lines) {
      number += 1;
      const text = decoded(hasLineFeed(bytes) ? bytes.subarray(0, -1) : bytes);
      if (text === undefined || text.trim() !== '') yield { number, text };
    }
  }
}
