import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { runApi, type Settings, settingsFor, startProcess, untilAnswer } from '../support/api-process.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { withReadOnly } from '../support/namespace.ts';
import { needs } from '../support/programs.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** Leaves a write-ahead log beside the file, as a killed publish does. */
async function leaveLog({ folder }: TestDatabase): Promise<string> {
  const file = join(folder, 'archive.sqlite');
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    new DatabaseSync(${JSON.stringify(file)}).exec('create table left_behind (a)');
    process.kill(process.pid, 'SIGKILL');`;
  await once(execFile(process.execPath, ['-e', script]), 'exit');
  return `${file}-wal`;
}

describe('a database file on a read-only file system', {
  timeout: 120_000,
  ...needs('namespaces'),
}, () => {
  let database: TestDatabase;
  /** With derived files in another folder. */
  let settings: Settings;
  let bundle: string;
  let elsewhere: TestDatabase;
  beforeAll(async () => {
    [database, elsewhere] = [await createTestDatabase('sqlite'), await createTestDatabase('sqlite')];
    bundle = await writeFixture(join(elsewhere.folder, 'bundle'));
    await publishHere(database, bundle);
    settings = settingsFor(database, { DERIVED_DIR: join(elsewhere.folder, 'derived'), PORT: '0' });
  });

  test('is served, and its editions are listed', async () => {
    const port = String(await freePort());
    const served = { ...settings, PORT: port };
    const server = startProcess(['serve'], served, withReadOnly(database.folder));
    await untilAnswer(server, `http://127.0.0.1:${port}/health`);
    for (const path of ['persons', 'search?q=vries', 'changes?since=1']) {
      expect((await fetch(`http://127.0.0.1:${port}/en/api/${path}`)).status, path).toBe(200);
    }
    const editions = await startProcess(['editions'], settings, withReadOnly(database.folder)).ended;
    expect(editions).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\* edition 1 /) });
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  test('rejects a publish with a message', async () => {
    const publish = startProcess(['publish', '--force', bundle], settings, withReadOnly(database.folder));
    expect(await publish.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `archive-api: ${settings['DATABASE_URL']?.replace('sqlite:', 'DATABASE_URL: ')}: attempt to write a readonly database\n`,
      ),
    });
  });

  test('with a write-ahead log is not read without the log', async () => {
    const log = await leaveLog(database);
    expect((await stat(log)).size).toBeGreaterThan(0);
    await rm(log.replace('-wal', '-shm'));
    const refused = await startProcess(['serve'], settings, withReadOnly(database.folder)).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${log} contains changes that are not in the file yet`);

    // The advice in the message works.
    expect(await runApi(['editions'], settings)).toMatchObject({ code: 0 });
    const editions = await startProcess(['editions'], settings, withReadOnly(database.folder)).ended;
    expect(editions).toMatchObject({ code: 0 });
  });
});
