import type { HashedBytes } from '@archiefkast/client/node';
import type { FileProof } from './file-proof.ts';
import type { HarvestSource } from './harvest-source.ts';

/** Options of written files; the proof stores them, so that an update writes the same way. */
export interface FileOptions {
  /** Begin CSV files with a byte order mark, so that Excel reads them as UTF-8. */
  bom: boolean;
  /** Write texts in both languages. */
  both: boolean;
  /** Write texts as HTML instead of plain text. */
  html: boolean;
}

/** Options of written files, and a function for warnings. */
export interface FormatOptions extends FileOptions {
  /** Reports what a file cannot contain. */
  warn(sentence: string): void;
}

/**
 * A file of a format: its content comes in parts, is written to a path, or comes from a group of files that are made
 * together. A file that is not wanted would be empty, and is not written.
 */
export type FormatFile = { name: string; isWanted?(): Promise<boolean> } & (
  | {
      /** @param written the files that were written before this one */
      parts(written?: readonly FileProof[]): AsyncIterable<FileParts>;
      /** Size and SHA-256, if known: the bytes are verified while they are read. */
      proven?: HashedBytes | undefined;
    }
  | { make(path: string): Promise<void> }
  | {
      group: FileGroup;
      /** All files of a group are wanted. */
      isWanted?: never;
    }
);

/** Consecutive parts of a file; valid until the next parts are requested. */
export type FileParts = readonly (string | Buffer)[];

/** Files that are made together, from one read of the records. */
export interface FileGroup {
  /** The content of some files, in order within each file, interleaved between files. */
  pieces(names: readonly string[]): AsyncIterable<FilePiece>;
}

/** Consecutive parts of one file of a group. */
export interface FilePiece {
  name: string;
  parts: FileParts;
}

/**
 * A format that a harvest can be written in. The same records must always give the same bytes: a file with other bytes is
 * regarded as the user's, and is not overwritten.
 */
export interface Format {
  /** Name in `--format`. */
  name: string;
  /** The files of the format, in the order of writing. Their content is made on demand. */
  files(source: HarvestSource, options: FormatOptions): FormatFile[];
}
