import type { Kind } from '@archive/types';
import { type ExportOptions, exportKind, type FileProof, type Format } from './export-kind.ts';

/** Writes the records of some kinds in some formats, one file after the other. */
export async function writeFormats(
  kinds: readonly Kind[],
  formats: readonly Format[],
  options: ExportOptions & { signal: AbortSignal },
): Promise<FileProof[]> {
  const files: FileProof[] = [];
  for (const format of formats) {
    for (const kind of kinds) {
      options.signal.throwIfAborted();
      files.push(await exportKind(kind, format, options));
    }
  }
  return files;
}
