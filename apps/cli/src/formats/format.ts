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
 * A file of a format: its name, and what is in it, as text in parts or made at a path that it is told. One that is not
 * wanted has nothing to hold, and is not written.
 */
export type FormatFile = { name: string; isWanted?(): Promise<boolean> } & (
  | {
      /** @param written what proves the files that were written before this one */
      parts(written?: readonly FileProof[]): AsyncIterable<readonly (string | Buffer)[]>;
      /** What proves the bytes, where they were hashed already and are checked while they are read. */
      proven?: HashedBytes | undefined;
    }
  | { make(path: string): Promise<void> }
);

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
