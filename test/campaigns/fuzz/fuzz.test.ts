import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { randomQuery } from '../../../apps/api/testing/random-query.ts';
import { BOTH, type BothServers, startBoth, type TimedResponse } from '../../support/both-engines.ts';
import { needs } from '../../support/programs.ts';

const RECORDS = 50_000;
const QUERIES = 10_000;
const SEED = 20_261_122;

/** The resources that take a query; search more often than the others. */
const ENDPOINTS = [
  'en/api/search?',
  'nl/api/search?',
  'en/api/search?fields=brief&',
  'en/api/search?sort=name&',
  'nl/api/search?sort=-date&',
  'en/api/facets?',
];

/** The time limit of a response, in milliseconds. */
const MOST = 1_000;

describe(`random queries on ${BOTH.join(' and ')}`, needs('database-server'), () => {
  let archives: BothServers;
  beforeAll(async () => {
    archives = await startBoth({ records: RECORDS, seed: SEED, atOnce: 2 });
  }, 300_000);
  afterAll(() => archives?.stop());

  test(`${QUERIES} get the same responses or errors, none over a second`, { timeout: 900_000 }, async () => {
    const random = createRandom(SEED);
    const paths = Array.from({ length: QUERIES }, () => {
      const endpoint = random.pick(ENDPOINTS);
      return `/${endpoint}q=${encodeURIComponent(randomQuery(random).toWellFormed())}`;
    });
    const counts = new Map<number, number>();
    const times: number[] = [];
    const late: string[] = [];
    const faults: string[] = [];

    const look = (path: string, answers: TimedResponse[]) => {
      const [one, other] = answers;
      const took = Math.max(...answers.map((answer) => answer.took));
      times.push(took);
      if (took > MOST || answers.some(({ status }) => status === 503)) {
        late.push(path);
        return;
      }
      const status = one?.status ?? 0;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const isAlike = other?.status === status && (status !== 200 || other.body === one?.body);
      if (![200, 400].includes(status) || !isAlike) faults.push(`${status} ${other?.status} ${path}`);
    };
    await archives.ask(paths, look);
    // Other work may have slowed a query down, so slow ones are repeated: a query that is slow is slow again.
    const again = late.splice(0);
    await archives.ask(again, look);

    times.sort((a, b) => a - b);
    const at = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(0);
    process.stdout.write(
      `${JSON.stringify(Object.fromEntries(counts))}; ms: median ${at(0.5)}, 99 % ${at(0.99)}, most ${at(1)}; ` +
        `${again.length} repeated\n`,
    );
    expect(faults).toEqual([]);
    expect(late).toEqual([]);
    expect([...counts.keys()].sort()).toEqual([200, 400]);
    expect(counts.get(200)).toBeGreaterThan(QUERIES / 10);
  });
});
