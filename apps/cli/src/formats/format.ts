import type { HashedBytes } from '../proof/kind-content.ts';
import type { FileProof } from './file-proof.ts';
import type { HarvestSource } from './harvest-source.ts';

/** How files are written: what the proof keeps, so that an update writes them alike. */
export interface FileOptions {
  /** Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8. */
  bom: boolean;
  /** Write texts in both languages. */
  both: boolean;
  /** Write texts as HTML in place of plain text. */
  html: boolean;
}

/** How files are written, and who is told what a file cannot hold. */
export interface FormatOptions extends FileOptions {
  /** Says in a sentence what a file does not hold. */
  warn(sentence: string): void;
}

/**
 * A file of a format: its name, and what is in it, as text in parts, or made at a path that it is told, or one of a group
 * that is made together. One that is not wanted has nothing to hold, and is not written.
 */
export type FormatFile = { name: string; isWanted?(): Promise<boolean> } & (
  | {
      /** @param written what proves the files that were written before this one */
      parts(written?: readonly FileProof[]): AsyncIterable<FileParts>;
      /** What proves the bytes, where they were hashed already and are checked while they are read. */
      proven?: HashedBytes | undefined;
    }
  | { make(path: string): Promise<void> }
  | {
      group: FileGroup;
      /** All files of a group are. */
      isWanted?: never;
    }
);

/** Some of what a file holds, in its order; good until more is asked for. */
export type FileParts = readonly (string | Buffer)[];

/** Files that are made together, of one reading of the records. */
export interface FileGroup {
  /** What is in the files of these names: each is told of in its own order, some of one after some of another. */
  pieces(names: readonly string[]): AsyncIterable<FilePiece>;
}

/** Some of what one file of a group holds. */
export interface FilePiece {
  name: string;
  parts: FileParts;
}

/**
 * A format that a harvest can be written in. The same records must give the same bytes, today and tomorrow: a file
 * that differs from what would be written is taken for somebody else's, and is not written over.
 */
export interface Format {
  /** As `--format` names it. */
  name: string;
  /** The files that it consists of, in the order in which they are written. Their content is made when asked for. */
  files(source: HarvestSource, options: FormatOptions): FormatFile[];
}
