import type { Kind } from '@archiefkast/types';
import type { HarvestSource } from './source.ts';

/** Options of written files. */
export interface FileOptions {
  /** Begin CSV files with a byte order mark, so that Excel reads them as UTF-8. */
  bom: boolean;
  both: boolean;
  html: boolean;
  /** Write events with the records that they embed. */
  full: boolean;
  /** Add edges between the persons of an event to a graph. */
  links?: 'persons' | undefined;
}

/** Options of written files, and a function for warnings. */
export interface FormatOptions extends FileOptions {
  /** Reports what a file cannot contain. */
  warn(sentence: string): void;
}

export interface OpenedFile {
  /** Where it is written, for a format that opens it itself. */
  path: string;
  /** Appends a part. @throws WriteError */
  write(part: string | Uint8Array): void;
}

/** Opens a file for writing; undefined if it is not wanted. */
export type OpenFile = (name: string) => OpenedFile | undefined;

/** A format that a harvest can be written in. The same records must always give the same bytes. */
export interface Format {
  /** The names of its files, in the order of `datapackage.json`. */
  names(kinds: readonly Kind[]): string[];
  /** Writes its files. A file that it does not open would be empty, and is not written. */
  write(source: HarvestSource, open: OpenFile, options: FormatOptions): Promise<void>;
}
