/** Text that occurs once in a file, and the text in its place that brings a fault back. */
export type Edit = readonly [file: string, text: string, replacement: string];

/** A test: its file, and a part of its full name that stands in the file. */
export type Guard = readonly [file: string, name: string];

/** A fault that was mended. */
export interface Fault {
  /** A short name. */
  id: string;
  /** What went wrong. */
  was: string;
  /** The test that fails when the fault is back. */
  guard: Guard;
  /** The edits that bring the fault back. */
  undo: readonly Edit[];
}
