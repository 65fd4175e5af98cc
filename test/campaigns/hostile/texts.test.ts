import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { HTML_READERS, MARKDOWN_READERS, TEXT_READERS } from './text-readers.ts';
import { HTML_SHAPES, MARKDOWN_SHAPES, TEXT_SHAPES } from './text-shapes.ts';

const SHORTEST = 16 * 2 ** 10;
const LONGEST = 2 * 2 ** 20;

/** CPU time in milliseconds: the least that is compared, and the limit for the longest text. */
const COMPARED = 20;
const MOST = 500;

/** The limit of the ratio of times for a text of twice the length. */
const MOST_GROWTH = 3;

/**
 * The least milliseconds per 1,024 characters for that limit: V8 replaces a million matches in one text at five times
 * the cost of half a million, once. Quadratic time soon exceeds it.
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
 * The errors if reading texts of a shape is slow; empty if it is not. A length that takes too long is measured again
 * together with the one before, because other work on the machine may have started between them.
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
 * The minimum CPU time of several tries, in milliseconds; the first below the limit is enough. Garbage of earlier
 * texts is not counted.
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
