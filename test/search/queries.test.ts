import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { randomQuery } from '../../apps/api/testing/random-query.ts';
import { createVocabulary } from '../bench/words.ts';
import { BOTH, type BothServers, startBoth, type TimedResponse } from '../support/both-engines.ts';
import { needs } from '../support/programs.ts';
import { sensibleQuery } from '../support/sensible-query.ts';

const RECORDS = 1_000;
const SEED = 11;
/** How often a slow query is repeated, because other work may have slowed it down. */
const TRIES = 5;

describe(`search on ${BOTH.join(' and ')}`, needs('database-server'), () => {
  let archives: BothServers;
  beforeAll(async () => {
    archives = await startBoth({ records: RECORDS, seed: SEED, atOnce: 4 });
  });
  afterAll(() => archives?.stop());

  /** Sends every query to both; calls `look` with the two responses. */
  const askBoth = async (
    queries: readonly string[],
    look: (path: string, answers: TimedResponse[]) => void,
    endpoint = 'search?',
  ) => {
    let paths = queries.map((query) => `/en/api/${endpoint}q=${encodeURIComponent(query.toWellFormed())}`);
    for (let tries = 1; paths.length > 0; tries += 1) {
      const late: string[] = [];
      await archives.ask(paths, (path, answers) => {
        if (tries < TRIES && answers.some(({ status }) => status === 503)) late.push(path);
        else look(path, answers);
      });
      paths = late;
    }
  };

  // `npx vitest run --project nightly fuzz` asks 5,000 of them.
  test('150 queries have the same hits, order and scores', { timeout: 120_000 }, async () => {
    const random = createRandom(SEED);
    const vocabulary = createVocabulary(random, RECORDS);
    const queries = Array.from({ length: 150 }, () => sensibleQuery(random, vocabulary));
    let found = 0;
    await askBoth(queries, (path, answers) => {
      expect(statusesOf(answers), path).toEqual([200, 200]);
      expect(answers[1]?.body, path).toBe(answers[0]?.body);
      if (!answers[0]?.body.includes('"count":0,')) found += 1;
    });
    expect(found).toBeGreaterThan(35);
  });

  test.each(['search?sort=name&', 'search?sort=-date&fields=uuid&', 'search?sort=id&', 'facets?'])(
    '40 queries of %s have the same responses',
    { timeout: 120_000 },
    async (endpoint) => {
      const random = createRandom(SEED);
      const vocabulary = createVocabulary(random, RECORDS);
      const queries = Array.from({ length: 40 }, () => sensibleQuery(random, vocabulary));
      const look = (path: string, answers: TimedResponse[]) => {
        expect(statusesOf(answers), path).toEqual([200, 200]);
        expect(answers[1]?.body, path).toBe(answers[0]?.body);
      };
      await askBoth(queries, look, endpoint);
    },
  );

  // `npx vitest run --project nightly fuzz` asks 10,000 of them.
  test('150 random queries get the same responses or errors', { timeout: 60_000 }, async () => {
    const random = createRandom(SEED);
    const seen = new Set<number>();
    await askBoth(
      Array.from({ length: 150 }, () => randomQuery(random)),
      (path, answers) => {
        const [status = 0] = statusesOf(answers);
        expect([200, 400], path.slice(0, 200)).toContain(status);
        expect(statusesOf(answers)).toEqual([status, status]);
        if (status === 200) expect(answers[1]?.body).toBe(answers[0]?.body);
        seen.add(status);
      },
    );
    expect([...seen].sort()).toEqual([200, 400]);
  });
});

function statusesOf(answers: readonly TimedResponse[]): number[] {
  return answers.map(({ status }) => status);
}
