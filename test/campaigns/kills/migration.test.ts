import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BARE_ENVIRONMENT, runApi, settingsFor } from '../../support/api-process.ts';
import { openDatabase } from '../../support/database-of.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

const PROGRAM = fileURLToPath(new URL('../../support/migrate-until.ts', import.meta.url));

/** Every seventh of the some forty moments between two statements. */
const STEP = 7;

describeEngines('a killed migration (%s)', (engine) => {
  test('is completed by the next one, from any moment', { timeout: 120_000 }, async () => {
    const whole = await createTestDatabase(engine);
    expect(await runApi(['migrate'], settingsFor(whole))).toMatchObject({ code: 0 });
    const tables = await describeTables(whole);
    await whole.drop();
    expect(Object.keys(tables)).toContain('editions');

    let killed = 0;
    for (let last = 1; ; last += STEP) {
      const database = await createTestDatabase(engine);
      const { code, signal } = await migrateUntil(database, last);
      if (signal === null) {
        expect(code).toBe(0);
        await database.drop();
        break;
      }
      expect(signal).toBe('SIGKILL');
      killed += 1;
      const next = await runApi(['migrate'], settingsFor(database));
      expect(next, `after ${last} statements`).toMatchObject({ code: 0, stderr: '' });
      expect(await describeTables(database), `after ${last} statements`).toEqual(tables);
      await database.drop();
    }
    expect(killed).toBeGreaterThan(3);
  });
});

/** Migrates in a process that is killed after `killAt` responses to statements, if it gets that far. */
async function migrateUntil(database: TestDatabase, last: number) {
  const child = spawn(process.execPath, [PROGRAM, String(last)], {
    env: { ...BARE_ENVIRONMENT, DATABASE_URL: database.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
}

/** Every table and index as described by the database. */
async function describeTables(prepared: TestDatabase): Promise<Record<string, string>> {
  const database = openDatabase(prepared);
  try {
    if (prepared.engine === 'sqlite') {
      const rows: { name: string; sql: string }[] = await database('sqlite_master').whereNotNull('sql');
      return Object.fromEntries(rows.map(({ name, sql }) => [name, sql]));
    }
    const [rows]: object[][] = await database.raw('show tables');
    const names = (rows ?? []).map((row) => String(Object.values(row)[0]));
    const described = names.map(async (name) => {
      const [[table] = []]: Record<string, string>[][] = await database.raw('show create table ??', [name]);
      // Without the next auto-increment value, which depends on the number of rows.
      return [name, String(table?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '')];
    });
    return Object.fromEntries(await Promise.all(described));
  } finally {
    await database.destroy();
  }
}
