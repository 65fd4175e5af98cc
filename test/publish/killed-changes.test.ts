import { describe, expect, test } from 'vitest';
import { type ChangedArchive, startChangedArchive } from '../support/killed-changes.ts';
import { ENGINES } from '../support/test-database.ts';

/** Of all moments between two statements, some that lie evenly; the campaign `kills` has many more. */
const PUBLISHES = 2;

describe.each(ENGINES)('a change that is killed between two statements (%s)', (engine) => {
  const archived = async (work: (archive: ChangedArchive) => Promise<void>) => {
    const archive = await startChangedArchive(engine);
    try {
      await work(archive);
    } finally {
      await archive.drop();
    }
  };

  test(
    'a publish: what is served is whole, and the next publish leaves nothing behind',
    { timeout: 180_000 },
    () =>
      archived(async (archive) => {
        const statements = await archive.countStatements('publish');
        expect(statements).toBeGreaterThan(40);
        for (let moment = 1; moment <= PUBLISHES; moment += 1) {
          const at = Math.floor((moment * statements) / (PUBLISHES + 1));
          const survived = archive.survive({ what: 'publish', at, when: moment % 2 ? 'before' : 'after' });
          expect(await survived, `statement ${at}`).toBe(true);
        }
      }),
  );

  test('a switch: the one or the other edition is served', { timeout: 180_000 }, () =>
    archived(async (archive) => {
      const statements = await archive.countStatements('switch');
      expect(await archive.survive({ what: 'switch', at: statements - 2, when: 'after' })).toBe(true);
    }),
  );
});
