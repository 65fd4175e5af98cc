import { createReadStream } from 'node:fs';

/** A line of a file. */
export interface Line {
  /** The line with its line feed, as bytes; the last line of a file may lack the line feed. */
  bytes: Buffer;
  /** Offset in the file, in bytes. */
  start: number;
}

const LINE_FEED = 0x0a;

/** Size of a block. A larger one outlives young generations while its lines are used, and is freed late. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Reads a file line by line; one line and one block are in memory at a time.
 *
 * @param from offset to begin at, in bytes
 */
export async function* readLines(path: string, from = 0): AsyncGenerator<Line, void, void> {
  for await (const lines of readLineBlocks(path, from)) yield* lines;
}

/** Reads a file like `readLines`, in batches: the lines that end in one block. Faster than waiting for each line. */
export async function* readLineBlocks(path: string, from = 0): AsyncGenerator<Line[], void, void> {
  let start = from;
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path, { start: from, highWaterMark: BLOCK_BYTES })) {
    const block: Buffer = chunk;
    const lines: Line[] = [];
    let begin = 0;
    for (let end = block.indexOf(LINE_FEED); end !== -1; end = block.indexOf(LINE_FEED, begin)) {
      const tail = block.subarray(begin, end + 1);
      const bytes = rest.length > 0 ? Buffer.concat([...rest, tail]) : tail;
      rest = [];
      lines.push({ bytes, start });
      start += bytes.length;
      begin = end + 1;
    }
    if (begin < block.length) rest.push(block.subarray(begin));
    yield lines;
  }
  if (rest.length > 0) yield [{ bytes: Buffer.concat(rest), start }];
}

/** A line of a text file. */
export interface TextLine {
  /** From 1. */
  number: number;
  /** The line as it is in the file. */
  bytes: Buffer;
  /** The text without its line feed; undefined if the bytes are not UTF-8. */
  text: string | undefined;
}

/**
 * Reads the lines of a UTF-8 file that are not blank; a byte order mark is skipped. One block is in memory at a time.
 *
 * @throws the file system's error if the file cannot be read
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
      if (text === undefined || text.trim() !== '') yield { number, bytes, text };
    }
  }
}
