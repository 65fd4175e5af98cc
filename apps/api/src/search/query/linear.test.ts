import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { WORST_QUERIES } from '../../../../../test/support/worst-queries.ts';
import type { Counted, Steps } from '../../../testing/count-steps.ts';
import { parseQuery } from './parse-query.ts';
import { QueryError } from './query.ts';

const LENGTHS = [250, 500, 1_000] as const;
/** How much more a query of twice the length may cost; what is quadratic costs four times as much. */
const MOST_GROWTH = 2.5;

/** Shorter times depend on chance, in microseconds. */
const MEASURABLE = 50;

/** Counts in a thread what each query costs. */
async function count(queries: readonly Counted[]): Promise<Steps[]> {
  const worker = new Worker(new URL('../../../testing/count-steps.ts', import.meta.url), {
    workerData: queries,
    execArgv: ['--conditions=@archiefkast/source'],
  });
  const [counted] = await once(worker, 'message');
  return counted;
}

/** The time of one parse, in microseconds: what expressions need is not counted as steps. */
function timeOf(q: string): number {
  const start = performance.now();
  try {
    parseQuery(q);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
  return (performance.now() - start) * 1000;
}

describe.each(Object.entries(WORST_QUERIES))('a query of %s', (_, write) => {
  it('is parsed at most five times, in steps that rise with its length', async () => {
    const counted = await count(LENGTHS.map((length) => ({ q: write(length) })));
    expect(counted).toHaveLength(LENGTHS.length);
    let before = Number.POSITIVE_INFINITY;
    for (const [index, { parses, steps }] of counted.entries()) {
      expect(parses, `${LENGTHS[index]} characters`).toBeGreaterThan(0);
      expect(parses, `${LENGTHS[index]} characters`).toBeLessThanOrEqual(5);
      expect(steps / before, `${LENGTHS[index]} characters`).toBeLessThan(MOST_GROWTH);
      before = steps;
    }
  });

  it('takes a time that rises with its length', async () => {
    const [short = '', , long = ''] = LENGTHS.map(write);
    // The fastest of all parses so far: other work on the machine only makes a parse slower.
    const fastest = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
    const growth = () => {
      for (let count = 0; count < 20; count += 1) {
        fastest.short = Math.min(fastest.short, timeOf(short));
        fastest.long = Math.min(fastest.long, timeOf(long));
      }
      return fastest.long / Math.max(MEASURABLE, fastest.short);
    };
    await expect.poll(growth, { timeout: 10_000, interval: 50 }).toBeLessThan(MOST_GROWTH ** 2 * 1.5);
  });
});

it('reads a query at most twice for all values of its facets', async () => {
  const [counted] = await count([{ q: 'vos', narrowed: 100 }]);
  expect(counted?.parses).toBe(2);
});
