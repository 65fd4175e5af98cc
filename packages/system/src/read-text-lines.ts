import { readLineBlocks } from './read-lines.ts';

/** A line of a text file. */
export interface TextLine {
  /** From 1. */
  number: number;
  /** The text without its line feed; undefined when the bytes are not UTF-8. */
  text: string | undefined;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a UTF-8 file that hold anything; a byte order mark is skipped. One block is in memory at a time.
 *
 * @throws the file system's error when the file cannot be read
 */
export async function* readTextLines(path: string): AsyncGenerator<TextLine, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes: Buffer): string | undefined => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
  let number = 0;
  for await (const lines of readLineBlocks(path)) {
    for (const { bytes } of lines) {
      number += 1;
      const text = decoded(bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes);
      if (text === undefined || text.trim() !== '') yield { number, text };
    }
  }
}
