import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Output, withTemporaryFolder } from '@archiefkast/system';
import type { FormatFile } from './format.ts';
import { piecesOf } from './produce-files.ts';

/** Writes a file of a format to a stream; one that is made at a path is made in a folder of its own first. */
export async function streamFile(file: FormatFile, output: Output, signal: AbortSignal): Promise<void> {
  if (!('make' in file)) {
    for await (const { parts } of piecesOf([file])) {
      signal.throwIfAborted();
      // What writes may still be at it when the next parts are asked for.
      for (const part of parts) output.write(typeof part === 'string' ? part : Buffer.from(part));
    }
    return;
  }
  await withTemporaryFolder('archive-cli-', async (folder) => {
    const path = join(folder, file.name);
    await file.make(path);
    for await (const chunk of createReadStream(path)) {
      signal.throwIfAborted();
      output.write(chunk);
    }
  });
}
