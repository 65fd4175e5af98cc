import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file in an archive of files. */
export interface ZipEntry {
  /** With slashes between folders. */
  name: string;
  /** A text, or what opens the content when the entries before it have been written. */
  content: string | (() => AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>);
}

/** Options with a fixed time, so that the same entries give the same bytes. */
const options = () => ({ mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true });

/** Writes a zip file as a stream of bytes; only pieces of an entry are in memory at a time. @throws what an entry throws */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>);
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, content } of entries) {
    if (typeof content === 'string') {
      zip.addBuffer(Buffer.from(content), name, options());
      continue;
    }
    zip.addReadStreamLazy(name, options(), (give) => {
      const stream = Readable.from(content(), { objectMode: false });
      // yazl does not forward errors of its sources.
      stream.once('error', (error) => output.destroy(error));
      give(null, stream);
    });
  }
  zip.end();
  yield* output as AsyncIterable<Buffer>;
}
