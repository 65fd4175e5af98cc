import { createReadStream } from 'node:fs';

/** A line of a bundle file. */
export interface Line {
  /** From 1. */
  number: number;
  /** The text; undefined when the bytes are not UTF-8. */
  text: string | undefined;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a UTF-8 file that hold anything, without their ends (`\n` or `\r\n`); a byte order mark is
 * skipped. One line is in memory at a time.
 *
 * @throws the file system's error when the file cannot be read
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let pending: Buffer[] = [];

  const finish = (tail: Buffer): Line | undefined => {
    const bytes = pending.length > 0 ? Buffer.concat([...pending, tail]) : tail;
    pending = [];
    number += 1;
    let text: string | undefined;
    try {
      text = decoder.decode(bytes);
    } catch {
      return { number, text: undefined };
    }
    return text.trim() === '' ? undefined : { number, text };
  };

  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const line = finish(chunk.subarray(start, end));
      if (line) yield line;
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) {
    const line = finish(Buffer.alloc(0));
    if (line) yield line;
  }
}
