import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { HTML_READERS, MARKDOWN_READERS, TEXT_READERS } from './text-readers.ts';
import { HTML_SHAPES, MARKDOWN_SHAPES, TEXT_SHAPES } from './text-shapes.ts';

const SHORTEST = 16 * 2 ** 10;
const LONGEST = 2 * 2 ** 20;

/** Milliseconds of the processor: from which on times are compared, and that the longest text may take. */
const COMPARED = 20;
const MOST = 500;

/** How many times as long a text of twice the length may take. */
const MOST_GROWTH = 3;

/**
 * Milliseconds for each 1,024 characters from which on that counts: V8 replaces a million matches in one text at five
 * times the cost of half a million, once. A time that follows the square of the length is soon above it.
 */
const CHEAP = 0.2;

const TRIES = 5;

describe.for([
  ['HTML', HTML_READERS, HTML_SHAPES],
  ['Markdown', MARKDOWN_READERS, MARKDOWN_SHAPES],
  ['text', TEXT_READERS, TEXT_SHAPES],
] as const)('%s', ([, readers, shapes]) => {
  test.for(Object.entries(readers))('%s takes time linear in its length, whatever its shape', ([, read]) => {
    expect(Object.entries(shapes).flatMap(([name, shape]) => slownessOf(name, shape, read))).toEqual([]);
  });
});

/**
 * What is slow with texts of a shape; nothing where all is well. Where a length takes too long, it and the one before are
 * measured once more, one after the other: other work on the machine may have begun between them.
 */
function slownessOf(
  name: string,
  shape: (length: number) => string,
  read: (text: string) => unknown,
): string[] {
  let before = Number.POSITIVE_INFINITY;
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    const text = shape(length);
    const compared = Math.max(COMPARED, (CHEAP * length) / 1_024);
    const fits = (time: number) => time < MOST && (time < compared || time <= MOST_GROWTH * before);
    let time = bestTime(() => read(text), fits);
    if (!fits(time) && length > SHORTEST) {
      const half = shape(length / 2);
      before = Math.max(
        before,
        bestTime(
          () => read(half),
          () => false,
        ),
      );
      time = Math.min(
        time,
        bestTime(() => read(text), fits),
      );
    }
    if (!fits(time)) return [`${name}: ${before} ms, then ${time} ms at ${length / 2 ** 10} kB`];
    before = Math.max(time, COMPARED);
  }
  return [];
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * The least time of some tries, in milliseconds of the processor; the first that fits is enough. What texts before it
 * have left in memory is no cost of this one.
 */
function bestTime(run: () => unknown, fits: (time: number) => boolean): number {
  let best = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && !fits(best); left -= 1) {
    if (best < Number.POSITIVE_INFINITY) collectGarbage();
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}
