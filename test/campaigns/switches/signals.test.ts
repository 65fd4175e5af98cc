import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor, startProcess } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

describeEngines('a publish stopped by a signal (%s)', (engine) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await publishBundle(database, await makeBundle(database.folder, { records: 40, seed: 1 }));
  });

  const isWriting = async () => {
    const open = openDatabase(database);
    while (!(await open('editions').where({ status: 'writing' }).first('id'))) await sleep(10);
    await open.destroy();
  };
  const isIndexing = async () => {
    for (;;) {
      const names = await readdir(join(database.folder, 'derived'), { recursive: true });
      if (names.some((name) => name.includes('.tmp'))) return;
      await sleep(10);
    }
  };

  test.each([
    ['SIGINT', 130, 'it writes', isWriting],
    ['SIGTERM', 143, 'it builds the index', isIndexing],
  ] as const)(
    '%s: ends at once with %i while %s, and changes nothing',
    { timeout: 120_000 },
    async (signal, exit, _, moment) => {
      const large = await makeBundle(database.folder, { records: 12_000, seed: 2 });
      const publish = startProcess(['publish', large], settingsFor(database));
      await moment();
      publish.kill(signal);
      const stopped = performance.now();
      expect(await publish.ended).toEqual({
        code: exit,
        signal: null,
        stdout: '',
        // After the warnings about the bundle.
        stderr: expect.stringMatching(new RegExp(`archive-api: stopped by ${signal}\\n$`)),
      });
      expect(performance.now() - stopped).toBeLessThan(5_000);
      expect((await runApi(['editions'], settingsFor(database))).stdout).toMatch(/^\* edition 1 .*\n$/);
      const files = await readdir(join(database.folder, 'derived'), { recursive: true });
      expect(files.filter((name) => name.includes('.tmp'))).toEqual([]);
      // It has released its lease, so that the next one does not wait.
      const small = await makeBundle(database.folder, { records: 40, seed: 3 });
      expect((await publishBundle(database, small)).stderr).not.toContain('Another process');
    },
  );
});
