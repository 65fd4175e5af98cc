import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { HTML_READERS, MARKDOWN_READERS, TEXT_READERS } from './text-readers.ts';
import { HTML_SHAPES, MARKDOWN_SHAPES, TEXT_SHAPES } from './text-shapes.ts';

const SHORTEST = 16 * 2 ** 10;
const LONGEST = 2 * 2 ** 20;

/**
 * The limit of the CPU time of a text, in milliseconds, linear in its length: five times what the slowest linear reader
 * takes, and a margin for its first call. Quadratic time exceeds it before the longest text.
 */
const limitOf = (length: number) => 300 + length / 1_024;

const TRIES = 3;

describe.for([
  ['HTML', HTML_READERS, HTML_SHAPES],
  ['Markdown', MARKDOWN_READERS, MARKDOWN_SHAPES],
  ['text', TEXT_READERS, TEXT_SHAPES],
] as const)('%s', ([, readers, shapes]) => {
  test.for(Object.entries(readers))('%s takes time linear in its length, whatever its shape', ([, read]) => {
    expect(Object.entries(shapes).flatMap(([name, shape]) => slownessOf(name, shape, read))).toEqual([]);
  });
});

/** The error if reading a text of a shape is slow at some length; empty if it is not. */
function slownessOf(
  name: string,
  shape: (length: number) => string,
  read: (text: string) => unknown,
): string[] {
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    const text = shape(length);
    const time = bestTime(() => read(text), limitOf(length));
    if (time >= limitOf(length)) return [`${name}: ${time} ms at ${length / 2 ** 10} kB`];
  }
  return [];
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * The minimum CPU time of several tries, in milliseconds; the first below the limit is enough. Garbage of earlier
 * texts is not counted.
 */
function bestTime(run: () => unknown, limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && best >= limit; left -= 1) {
    if (best < Number.POSITIVE_INFINITY) collectGarbage();
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}
