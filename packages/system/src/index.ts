export { makeFolder } from './make-folder.ts';
export type { Output } from './output.ts';
export { printable } from './printable.ts';
export { createProgressLine, type ProgressLine } from './progress-line.ts';
export { type Line, readLineBlocks, readLines } from './read-lines.ts';
export { readTextLines, type TextLine } from './read-text-lines.ts';
export { withFileLock } from './with-file-lock.ts';
export { isSystemError, WriteError, writeFailure } from './write-error.ts';
export { putInPlace, replaceWhole, writeWhole } from './write-whole.ts';
