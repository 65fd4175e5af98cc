import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createDerivedFiles,
  type DerivedFiles,
} from '@archiefkast/archive-api/dist/derived/derived-files.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runApi, settingsFor } from '../../support/api-process.ts';
import { openDatabase } from '../../support/database-of.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

const HOUR = 3_600_000;

describeEngines(
  'derived files (%s)',
  (engine) => {
    let one: TestDatabase;
    let other: TestDatabase;
    let database: Database;
    let files: DerivedFiles;
    const shared = () => join(one.folder, 'shared');
    const publish = async (into: TestDatabase, ...flags: string[]) => {
      const bundle = await writeFixture(join(one.folder, 'bundle'));
      const { code, stderr } = await runApi(
        ['publish', bundle, '--force', ...flags],
        settingsFor(into, { DERIVED_DIR: shared() }),
      );
      expect(code, stderr).toBe(0);
    };
    const folders = () => readdir(shared());
    const names = async (folder = '') => (await readdir(join(shared(), folder))).sort();

    beforeEach(async () => {
      [one, other] = await Promise.all([createTestDatabase(engine), createTestDatabase(engine)]);
      await publish(one);
      database = openDatabase(one);
      files = createDerivedFiles(database, { derivedFolder: shared() });
    });
    afterEach(async () => {
      await database?.destroy();
      await Promise.all([one?.drop(), other?.drop()]);
    });

    test('are in a folder named after the archive, not after the address of its database', async () => {
      const [archive] = await database('archive').pluck('id');
      expect(await folders()).toEqual([archive]);
    });

    test('of two archives can share one folder', async () => {
      const [first] = await folders();
      const before = await names(first);
      expect(before).toHaveLength(1);
      await publish(other);
      await publish(other);
      expect(await folders()).toHaveLength(2);
      expect(await names(first)).toEqual(before);
    });

    test('of editions that are no longer kept are deleted by a publish', async () => {
      const [own] = await folders();
      const [before = ''] = await names(own);
      for (let more = 0; more < 2; more += 1) await publish(one);
      expect(await names(own)).toHaveLength(2);
      expect(await names(own)).not.toContain(before);
    });

    test('left by a killed build are deleted, those being written are not', async () => {
      const [own = ''] = await folders();
      const [index = ''] = await names(own);
      const path = (end: string) => join(shared(), own, `${index}.tmp-${end}`);
      await writeFile(path('0a'), 'left');
      await writeFile(path('0b'), 'being written');
      const then = new Date(Date.now() - 2 * HOUR);
      await utimes(path('0a'), then, then);
      await files.sweep();
      expect(await names(own)).toEqual([index, `${index}.tmp-0b`]);
    });

    test('of one edition are dropped without others', async () => {
      await publish(one);
      const [own] = await folders();
      const [key] = await database('editions').orderBy('id').pluck('key');
      await files.forget({ key });
      const left = await names(own);
      expect(left).toHaveLength(1);
      expect(left[0]).not.toContain(key);
    });
  },
  { timeout: 60_000 },
);
