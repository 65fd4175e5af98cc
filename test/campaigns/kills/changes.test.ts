import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChangedArchive, type Moment, startChangedArchive } from '../../support/killed-changes.ts';
import { describeEngines, ENGINES } from '../../support/test-database.ts';

/** The minimum number of kills on each engine; more if there is time. */
const KILLS = 40;
const SEED = 20_261_121;

const minutes = Number(process.env['KILLS_MINUTES'] ?? 4);

describeEngines('killed changes (%s)', (engine) => {
  let archive: ChangedArchive;
  let statements: Record<Moment['what'], number>;
  beforeAll(async () => {
    archive = await startChangedArchive(engine);
    statements = {
      publish: await archive.countStatements('publish'),
      switch: await archive.countStatements('switch'),
    };
  });
  afterAll(() => archive?.drop());

  test(`at least ${KILLS} seeded moments`, { timeout: (minutes + 5) * 60_000 }, async () => {
    const until = Date.now() + (minutes * 60_000 * 0.8) / ENGINES.length;
    const next = seeded(SEED);
    let kills = 0;
    while (kills < KILLS || Date.now() < until) {
      const what = next() < 0.8 ? 'publish' : 'switch';
      const at = 1 + Math.floor(next() * (statements[what] - 1));
      const moment: Moment = { what, at, when: next() < 0.5 ? 'before' : 'after' };
      const killed = await archive.survive(moment).catch((error) => {
        throw new Error(`${JSON.stringify(moment)} of ${statements[what]}`, { cause: error });
      });
      if (killed) kills += 1;
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    process.stdout.write(`${kills} kills on ${engine}\n`);
  });
});

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
