import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { HashedBytes } from '@archiefkast/client/node';
import { writeFailure } from '@archiefkast/system';
import { type FileProof, fileProof } from './file-proof.ts';
import type { FileGroup, FileParts, FilePiece, FormatFile } from './format.ts';

/** Options of `produceFiles`. */
interface ProduceOptions {
  folder: string;
  /** Suffix of the names while files are written. */
  ending?: string;
  /** The files that were written before. */
  written?: readonly FileProof[];
  signal?: AbortSignal;
}

/** Files that are made together: a single file, or files of a group. */
export type Batch = [FormatFile, ...FormatFile[]];

/** Splits files into batches, in order: consecutive files of a group form a batch. */
export function inBatches(files: readonly FormatFile[]): Batch[] {
  const batches: Batch[] = [];
  for (const file of files) {
    const group = groupOf(file);
    const last = batches.at(-1);
    if (last && group && groupOf(last[0]) === group) last.push(file);
    else batches.push([file]);
  }
  return batches;
}

function groupOf(file: FormatFile): FileGroup | undefined {
  return 'group' in file ? file.group : undefined;
}

/**
 * Writes the files of a batch; returns their sizes and SHA-256.
 *
 * @throws WriteError
 */
export async function produceFiles(
  batch: Batch,
  { folder, ending = '', written = [], signal }: ProduceOptions,
): Promise<FileProof[]> {
  const [first] = batch;
  if ('make' in first) {
    const shownPath = join(folder, first.name);
    try {
      await first.make(shownPath + ending);
      return [await fileProof(shownPath + ending, first.name)];
    } catch (error) {
      throw writeFailure(shownPath, error);
    }
  }
  await using open = new AsyncDisposableStack();
  const sinks = new Map<string, FileSink>();
  for (const file of batch) {
    const shownPath = join(folder, file.name);
    const proven = 'parts' in file ? file.proven : undefined;
    const sink = await openFileSink({ name: file.name, path: shownPath + ending, shownPath, proven });
    sinks.set(file.name, open.use(sink));
  }
  for await (const { name, parts } of piecesOf(batch, written)) {
    signal?.throwIfAborted();
    sinks.get(name)?.write(parts);
  }
  return [...sinks.values()].map((sink) => sink.finish());
}

/** The content of a batch, except for files that are written to a path. */
export async function* piecesOf(
  batch: Batch,
  written: readonly FileProof[] = [],
): AsyncGenerator<FilePiece, void, void> {
  const [first] = batch;
  if ('group' in first) yield* first.group.pieces(batch.map(({ name }) => name));
  else if ('parts' in first)
    for await (const parts of first.parts(written)) yield { name: first.name, parts };
}

/** Size of the write buffer, in bytes. */
const BLOCK = 64 * 1024;

/** Writes a file in parts, and computes its SHA-256. */
interface FileSink extends AsyncDisposable {
  /** @throws WriteError */
  write(parts: FileParts): void;
  /** Flushes the buffer. @throws WriteError */
  finish(): FileProof;
}

/** Options of a file to write. */
interface FileSinkOptions {
  /** Name of the file in the proof. */
  name: string;
  /** Temporary path. */
  path: string;
  /** Path in error messages. */
  shownPath: string;
  /** Size and SHA-256, if known. */
  proven?: HashedBytes | undefined;
}

/** Opens a file for writing. @throws WriteError */
async function openFileSink({ name, path, shownPath, proven }: FileSinkOptions): Promise<FileSink> {
  const file = await open(path, 'w').catch((error) => {
    throw writeFailure(shownPath, error);
  });
  const block = Buffer.allocUnsafe(BLOCK);
  const hash = createHash('sha256');
  let filled = 0;
  let bytes = 0;

  function put(data: Buffer): void {
    if (!proven) hash.update(data);
    bytes += data.length;
    try {
      // Synchronous: waiting for another thread takes longer than the copy to the page cache.
      writeFileSync(file.fd, data);
    } catch (error) {
      throw writeFailure(shownPath, error);
    }
  }

  return {
    write(parts) {
      for (const part of parts) {
        const length = Buffer.byteLength(part);
        if (filled + length > BLOCK) {
          put(block.subarray(0, filled));
          filled = 0;
        }
        if (length > BLOCK) put(typeof part === 'string' ? Buffer.from(part) : part);
        else filled += typeof part === 'string' ? block.write(part, filled) : part.copy(block, filled);
      }
    },
    finish() {
      put(block.subarray(0, filled));
      if (proven && proven.bytes !== bytes) {
        throw new Error(`${name}: ${bytes} bytes written, expected ${proven.bytes}`);
      }
      return { name, bytes, sha256: proven?.sha256 ?? hash.digest('hex') };
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
