import { createRequire } from 'node:module';
import type * as htmlparser2 from 'htmlparser2';

const load = createRequire(import.meta.url);
let parser: typeof htmlparser2 | undefined;

/** htmlparser2, which is loaded with the first text: a program starts sooner without its files. */
export function htmlParser(): typeof htmlparser2 {
  parser ??= load('htmlparser2') as typeof htmlparser2;
  return parser;
}
