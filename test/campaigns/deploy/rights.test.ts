import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApi, settingsFor } from '../../support/api-process.ts';
import { serveDatabase, untilServed } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

const SAMPLE = fileURLToPath(new URL('../../../apps/api/sample', import.meta.url));
const TASKS = ['migrate', 'publish', 'serve'] as const;
type Task = (typeof TASKS)[number];

describe('the users of deploy/users.sql', needs('database-server'), () => {
  const administrator = placeOf('database-server');
  const suffix = randomBytes(4).toString('hex');
  let database: TestDatabase;
  let fixture: string;

  /** The database as the user for a task sees it. */
  const as = (task: Task): TestDatabase => {
    const url = new URL(database.url);
    url.username = `archive_${task}_${suffix}`;
    url.password = encodeURIComponent(`${task} pass%word`);
    return { ...database, url: url.href };
  };
  const run = (task: Task, ...args: string[]) => runApi(args, settingsFor(as(task)));

  beforeAll(async () => {
    database = await createTestDatabase('mysql');
    fixture = await writeFixture(join(database.folder, 'bundle'));
    const script = await readFile(new URL('../../../deploy/users.sql', import.meta.url), 'utf8');
    const name = new URL(database.url).pathname.slice(1);
    await administer(
      script
        .replaceAll(/\[(\w+) password\]/g, '$1 pass%word')
        .replaceAll(/archive_(\w+)@/g, `archive_$1_${suffix}@`)
        .replaceAll('archive.*', `${name}.*`)
        .replace('EXISTS archive ', `EXISTS ${name} `),
    );
  });
  afterAll(async () => {
    await administer(TASKS.map((task) => `drop user if exists archive_${task}_${suffix}@'%'`).join(';'));
  });

  async function administer(sql: string): Promise<void> {
    const connection = await createConnection({ uri: administrator, multipleStatements: true });
    await connection.query(sql);
    await connection.end();
  }

  test('only migrate can create the tables', { timeout: 120_000 }, async () => {
    for (const task of ['publish', 'serve'] as const) {
      expect(await run(task, 'migrate')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^archive-api: this database has no tables yet, and this user may not change tables; run archive-api migrate as .*denied/m,
        ),
      });
    }
    expect(await run('publish', 'publish', fixture)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^archive-api: this database has no tables yet, .*\(archive_migrate\)/m),
    });
    expect(await run('migrate', 'migrate')).toMatchObject({ code: 0, stderr: '' });
    for (const task of TASKS) {
      expect(await run(task, 'migrate')).toMatchObject({ code: 0, stdout: 'The tables are up to date.\n' });
    }
  });

  test('publish can write, switch and remove editions', { timeout: 120_000 }, async () => {
    for (const bundle of [fixture, SAMPLE, fixture]) {
      expect((await run('publish', 'publish', bundle)).code).toBe(0);
    }
    expect((await run('publish', 'publish', SAMPLE, '--hold')).code).toBe(0);
    expect((await run('publish', 'switch', '4')).code).toBe(0);
    expect((await run('publish', 'rollback')).code).toBe(0);
  });

  test('serve and editions can only read', { timeout: 120_000 }, async () => {
    expect(await run('serve', 'editions')).toMatchObject({ code: 0, stderr: '' });
    for (const args of [['publish', fixture, '--force'], ['switch', '4'], ['rollback']]) {
      expect(await run('serve', ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^archive-api: .*denied/m),
      });
    }
    const reader = await serveDatabase(as('serve'));
    for (const path of ['/en/api/events', '/nl/api/search?q=leiden', '/en/api/dump/manifest.json']) {
      expect((await reader.fetch(path)).status, path).toBeLessThan(400);
    }
    expect((await run('publish', 'publish', SAMPLE)).code).toBe(0);
    await untilServed(reader, 5);
    await reader.stop();
  });
});
