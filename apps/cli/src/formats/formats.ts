import type { Kind } from '@archiefkast/types';
import type { HarvestSource } from './source.ts';

/** Options of written files; the proof stores them, so that an update writes the same way. */
export interface FileOptions {
  /** Begin CSV files with a byte order mark, so that Excel reads them as UTF-8. */
  bom: boolean;
  both: boolean;
  html: boolean;
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

/** All formats, in the order of writing; loaded on demand, because some need a large library. */
const FORMATS: Readonly<Record<string, () => Promise<Format>>> = {
  csv: async () => (await import('./csv.ts')).csvFormat,
  jsonl: async () => (await import('./jsonl.ts')).jsonlFormat,
  geojson: async () => (await import('./geojson.ts')).geojsonFormat,
  sqlite: async () => (await import('./sqlite.ts')).sqliteFormat,
  xlsx: async () => (await import('./xlsx.ts')).xlsxFormat,
};

export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS);

export const DEFAULT_FORMATS = ['csv'];

/** Names of formats, each once, in the order of writing. */
export function inWritingOrder(names: readonly string[]): string[] {
  return FORMAT_NAMES.filter((name) => names.includes(name));
}

/** Loads formats, in the order of writing. */
export async function loadFormats(names: readonly string[]): Promise<Format[]> {
  return Promise.all(inWritingOrder(names).flatMap((name) => FORMATS[name]?.() ?? []));
}
