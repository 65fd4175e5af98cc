import { join } from 'node:path';
import { writeFailure } from '@archiefkast/system';
import { type FileProof, fileProof } from './file-proof.ts';
import { type FileSink, openFileSink } from './file-sink.ts';
import type { FileGroup, FilePiece, FormatFile } from './format.ts';

/** Where files are written. */
export interface Workplace {
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
