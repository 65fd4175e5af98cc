import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORST_QUERIES } from '../../../../../test/support/worst-queries.ts';
import { createNarrowing } from './narrow-query.ts';
import { parseQuery } from './parse-query.ts';
import { QueryError } from './query.ts';

const LENGTHS = [250, 500, 1_000] as const;
/** How much more a query of twice the length may cost; what is quadratic costs four times as much. */
const MOST_GROWTH = 2.5;

/** Shorter times depend on chance, in microseconds. */
const MEASURABLE = 50;

const session = new Session();

beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});

afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
});

/** Parses a query, whether it is valid or not. */
function read(q: string): void {
  try {
    parseQuery(q);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
}

/** What V8 counts in some work: parses, and blocks of code of the search that are entered. */
async function count(work: () => void): Promise<{ parses: number; steps: number }> {
  await session.post('Profiler.takePreciseCoverage');
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result
    .filter(({ url }) => /\/search\/(?:query|fields)\/[\w-]+\.ts$/.test(url))
    .flatMap((script) => script.functions);
  const sum = (counts: number[]) => counts.reduce((total, each) => total + each, 0);
  return {
    parses: sum(
      functions
        .filter(({ functionName }) => functionName === 'parseTerms')
        .map(({ ranges }) => ranges[0]?.count ?? 0),
    ),
    steps: sum(functions.flatMap(({ ranges }) => ranges.map((range) => range.count))),
  };
}

/** The time of the fastest of many parses, in microseconds: what expressions need is not counted. */
function fastest(q: string): number {
  const times = Array.from({ length: 60 }, () => {
    const start = performance.now();
    read(q);
    return (performance.now() - start) * 1000;
  });
  return Math.min(...times);
}

describe.each(Object.entries(WORST_QUERIES))('a query of %s', (_, write) => {
  it('is parsed at most five times, in steps that rise with its length', async () => {
    for (const length of LENGTHS) read(write(length));
    let before = Number.POSITIVE_INFINITY;
    for (const length of LENGTHS) {
      const { parses, steps } = await count(() => read(write(length)));
      expect(parses, `${length} characters`).toBeGreaterThan(0);
      expect(parses, `${length} characters`).toBeLessThanOrEqual(5);
      expect(steps / before, `${length} characters`).toBeLessThan(MOST_GROWTH);
      before = steps;
    }
  });

  it('takes a time that rises with its length', () => {
    const [short = '', , long = ''] = LENGTHS.map(write);
    expect(fastest(long)).toBeLessThan(MOST_GROWTH ** 2 * 1.5 * Math.max(MEASURABLE, fastest(short)));
  });
});

it('reads a query at most twice for all values of its facets', async () => {
  const query = parseQuery('vos');
  const { parses } = await count(() => {
    const narrow = createNarrowing('vos', query);
    for (let value = 0; value < 50; value++) {
      for (const each of [`city ${value}`, `City ${value}`]) expect(narrow('city', each)).not.toBeNull();
    }
  });
  expect(parses).toBe(2);
});
