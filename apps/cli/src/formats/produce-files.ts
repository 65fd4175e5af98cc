import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFailure } from '@archiefkast/system';
import type { HashedBytes } from '../proof/kind-content.ts';
import { type FileProof, fileProof } from './file-proof.ts';
import type { FileGroup, FileParts, FilePiece, FormatFile } from './format.ts';

/** Where files are written. */
interface Workplace {
  folder: string;
  /** What is added to their names meanwhile. */
  ending?: string;
  /** What proves the files that were written before. */
  written?: readonly FileProof[];
  signal?: AbortSignal;
}

/** Files that are made at once: one by itself, or some of a group. */
export type Batch = [FormatFile, ...FormatFile[]];

/** Files in batches, in their order: those of a group stand beside each other. */
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
 * Writes the files of a batch; returns what proves that each is whole, under its own name.
 *
 * @throws WriteError
 */
export async function produceFiles(
  batch: Batch,
  { folder, ending = '', written = [], signal }: Workplace,
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

/** What is in the files of a batch that are not made at a path. */
export async function* piecesOf(
  batch: Batch,
  written: readonly FileProof[] = [],
): AsyncGenerator<FilePiece, void, void> {
  const [first] = batch;
  if ('group' in first) yield* first.group.pieces(batch.map(({ name }) => name));
  else if ('parts' in first)
    for await (const parts of first.parts(written)) yield { name: first.name, parts };
}

/** Parts are collected up to this many bytes before they are written. */
const BLOCK = 64 * 1024;

/** Takes what a file holds, in parts, and proves it. */
interface FileSink extends AsyncDisposable {
  /** @throws WriteError */
  write(parts: FileParts): void;
  /** Writes what waits. @throws WriteError */
  finish(): FileProof;
}

/** Where a file is written, and what is known of it. */
interface FileSinkOptions {
  /** Its own name. */
  name: string;
  /** Where it is written first. */
  path: string;
  /** What errors call it. */
  shownPath: string;
  /** What proves the bytes, where they were hashed already. */
  proven?: HashedBytes | undefined;
}

/** Opens a file to be written anew. @throws WriteError */
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
      // Without waiting for another thread, which would take longer than the copy into the system's memory.
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
        throw new Error(`${name}: ${bytes} bytes were written where there are ${proven.bytes}`);
      }
      return { name, bytes, sha256: proven?.sha256 ?? hash.digest('hex') };
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
