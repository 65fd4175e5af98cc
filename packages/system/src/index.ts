export { existing, freeBytesOn, makeFolder, withTemporaryFolder } from './folders.ts';
export { printable } from './printable.ts';
export type { Output } from './progress-line.ts';
export { createProgressLine, type ProgressLine } from './progress-line.ts';
export { readTextLines, type TextLine } from './read-lines.ts';
export { isMissing, isSystemError, WriteError, writeFailure } from './write-error.ts';
export { putInPlace, replaceWhole, writeWhole } from './write-whole.ts';
