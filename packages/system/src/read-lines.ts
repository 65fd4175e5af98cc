import { createReadStream } from 'node:fs';

/** A line of a text file. */
export interface TextLine {
  /** From 1. */
  number: number;
  /** The line as it is in the file, with its line feed; the last one may lack it. */
  bytes: Buffer;
  /** The text without its line feed; undefined if the bytes are not UTF-8. */
  text: string | undefined;
}

const LINE_FEED = 0x0a;

/** Size of a block. A larger one outlives young generations while its lines are used, and is freed late. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Reads the lines of a UTF-8 file that are not blank; a byte order mark is skipped. One line and one block are in memory at a time.
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
  for await (const lines of linesOf(path)) {
    for (const bytes of lines) {
      number += 1;
      const text = decoded(bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes);
      if (text === undefined || text.trim() !== '') yield { number, bytes, text };
    }
  }
}

/** The lines that end in each block: waiting for each line takes longer. */
async function* linesOf(path: string): AsyncGenerator<Buffer[], void, void> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: BLOCK_BYTES })) {
    const block: Buffer = chunk;
    const lines: Buffer[] = [];
    let begin = 0;
    for (let end = block.indexOf(LINE_FEED); end !== -1; end = block.indexOf(LINE_FEED, begin)) {
      const line = block.subarray(begin, end + 1);
      lines.push(rest.length > 0 ? Buffer.concat([...rest, line]) : line);
      rest = [];
      begin = end + 1;
    }
    if (begin < block.length) rest.push(block.subarray(begin));
    yield lines;
  }
  if (rest.length > 0) yield [Buffer.concat(rest)];
}
