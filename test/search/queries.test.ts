import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../apps/api/testing/random.ts';
import { randomQuery } from '../../apps/api/testing/random-query.ts';
import { generateBundle } from '../bench/generate-bundle.ts';
import { createVocabulary } from '../bench/words.ts';
import { startApi, type TestArchive } from '../support/api-server.ts';
import { ENGINES } from '../support/test-database.ts';

const RECORDS = 3_000;
const SEED = 11;
/** Queries under way at once. */
const AT_ONCE = 4;

/** Where there is but one engine, another server of it stands in: then this proves that answers are stable. */
const BOTH = [ENGINES[0] ?? 'sqlite', ENGINES[1] ?? 'sqlite'] as const;

/** A query as a person might ask it, in the words of the archive. */
function sensibleQuery(random: Random, vocabulary: ReturnType<typeof createVocabulary>): string {
  const clauses: (() => string)[] = [
    () => `last_name:${vocabulary.lastName().slice(0, 2 + random.below(6))}`,
    () => `first_name:${vocabulary.firstName()}`,
    () => `birth_place:${vocabulary.place()}`,
    () => `city:${vocabulary.place()}`,
    () => `name:${vocabulary.word()}`,
    () => `birth_date:${1500 + random.below(300)}..`,
    () => `kind:${random.pick(['person', 'subject', 'location', 'event'])}`,
    () => `gender:${random.pick(['male', 'female'])}`,
    () => `"${vocabulary.word()} ${vocabulary.word()}"`,
    () => vocabulary.word(),
    () => vocabulary.word(),
  ];
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(clauses)()).join(' ');
}

describe(`search on ${BOTH.join(' and ')}`, () => {
  let folder: string;
  let archives: TestArchive[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-queries-'));
    await generateBundle({ folder, records: RECORDS, seed: SEED });
    archives = await Promise.all(BOTH.map((engine) => startApi({ engine, bundle: folder })));
  });
  afterAll(async () => {
    await Promise.all((archives ?? []).map((archive) => archive.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  /** Asks both for every query; calls `look` with the two answers. */
  const askBoth = async (
    queries: readonly string[],
    look: (query: string, statuses: number[], bodies: string[], milliseconds: number) => void,
  ) => {
    const queue = queries.values();
    const work = async () => {
      for (const query of queue) {
        const path = `/en/api/search?q=${encodeURIComponent(query.toWellFormed())}`;
        const started = performance.now();
        const answers = await Promise.all(archives.map((archive) => archive.fetch(path)));
        const bodies = await Promise.all(answers.map((answer) => answer.text()));
        look(
          query,
          answers.map(({ status }) => status),
          bodies,
          performance.now() - started,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };

  test('2,000 queries have the same hits, order and scores', { timeout: 120_000 }, async () => {
    const random = createRandom(SEED);
    const vocabulary = createVocabulary(random, RECORDS);
    const queries = Array.from({ length: 2_000 }, () => sensibleQuery(random, vocabulary));
    let found = 0;
    await askBoth(queries, (query, statuses, [one = '', other], milliseconds) => {
      expect(statuses, query).toEqual([200, 200]);
      expect(other, query).toBe(one);
      expect(milliseconds, query).toBeLessThan(1_000 * AT_ONCE);
      if (!one.includes('"count":0,')) found += 1;
    });
    expect(found).toBeGreaterThan(500);
  });

  test('10,000 queries of anything are answered or refused, alike', { timeout: 180_000 }, async () => {
    const random = createRandom(SEED);
    const seen = new Set<number>();
    await askBoth(
      Array.from({ length: 10_000 }, () => randomQuery(random)),
      (query, statuses, [one, other], milliseconds) => {
        const [status = 0] = statuses;
        expect([200, 400], JSON.stringify(query.slice(0, 200))).toContain(status);
        expect(statuses).toEqual([status, status]);
        if (status === 200) expect(other).toBe(one);
        expect(milliseconds, query.slice(0, 200)).toBeLessThan(1_000 * AT_ONCE);
        seen.add(status);
      },
    );
    expect(seen).toContain(200);
    expect(seen).toContain(400);
  });
});
