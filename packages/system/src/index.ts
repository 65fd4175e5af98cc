export * from './files.ts';
export { readTextLines, type TextLine } from './read-lines.ts';
export { createProgressLine, type Output, printable } from './terminal.ts';
