import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor, startProcess } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { takeSnapshot } from '../../support/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** The command in docs/install-and-hosting.md that begins with `beginning`. */
async function documented(beginning: string): Promise<string> {
  const docs = await readFile(new URL('../../../docs/install-and-hosting.md', import.meta.url), 'utf8');
  const line = docs.split('\n').find((each) => each.startsWith(beginning));
  if (!line) throw new Error(`docs/install-and-hosting.md has no command that begins with ${beginning}`);
  return line;
}

async function shell(command: string, environment: Record<string, string> = {}): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  await promisify(execFile)('sh', ['-c', `set -e; ${command}`], { env });
}

/**
 * Publishes two archives, and takes a backup during the publish of a third; then restores it elsewhere.
 *
 * @param saveAndRestore copies the first database to a second one, through a file
 */
async function expectRestored(
  first: TestDatabase,
  second: TestDatabase,
  saveAndRestore: () => Promise<void>,
): Promise<void> {
  const small = await makeBundle(first.folder, { records: 200, seed: 1 });
  await publishBundle(first, small);
  await publishBundle(first, await makeBundle(first.folder, { records: 220, seed: 2 }));
  const server = await serveDatabase(first);
  const before = await takeSnapshot(server);
  await server.stop();
  const large = await makeBundle(first.folder, { records: 6_000, seed: 3 });
  const publishing = startProcess(['publish', large], settingsFor(first));
  const database = openDatabase(first);
  while (!(await database('editions').where({ status: 'writing' }).first('id')));
  await database.destroy();
  await saveAndRestore();
  expect((await publishing.ended).code).toBe(0);

  const restored = await serveDatabase(second);
  expect([...(await takeSnapshot(restored))]).toEqual([...before]);
  await restored.stop();
  const { stdout } = await runApi(['editions'], settingsFor(second));
  expect(stdout.match(/^(\*| ) edition \d+/gm)).toEqual(['* edition 2', '  edition 1']);
  // The next publish takes over the lease from the time of the backup, and removes the incomplete edition.
  await publishBundle(second, small);
}

describe('a backup of an SQLite database, by sqlite3', needs('sqlite3'), () => {
  test('is consistent, also during a publish', { timeout: 120_000 }, async () => {
    const [first, second] = [await createTestDatabase('sqlite'), await createTestDatabase('sqlite')];
    const [from, to] = [first, second].map(({ url }) => url.slice('sqlite:'.length));
    await mkdir(join(first.folder, 'backup'));
    await expectRestored(first, second, async () => {
      const [save, restore] = [await documented('sqlite3 /'), await documented('cp /')];
      const here = (command: string) =>
        command
          .replaceAll('/var/lib/archive/archive.sqlite', from && command === save ? from : (to ?? ''))
          .replaceAll('/var/backups/', `${join(first.folder, 'backup')}/`);
      await shell(here(save));
      await shell(here(restore));
    });
  });
});

describe(
  'a backup on a server, by mariadb-dump or mysqldump',
  needs('database-server', 'mariadb-dump|mysqldump'),
  () => {
    const dump = placeOf('mariadb-dump|mysqldump');
    test('is consistent, also during a publish', { timeout: 120_000 }, async () => {
      const [first, second] = [await createTestDatabase('mysql'), await createTestDatabase('mysql')];
      const { hostname, port, username, password } = new URL(first.url);
      const options = join(first.folder, 'client.cnf');
      await writeFile(
        options,
        `[client]\nprotocol=tcp\nhost=${hostname}\nport=${port || 3306}\nuser=${username}\npassword=${password}\n`,
      );
      const client = dump.replace(/dump$/, '').replace(/-$/, '');
      const here = (command: string, { url }: TestDatabase) =>
        command
          .replace(/ archive\b/, ` ${new URL(url).pathname.slice(1)}`)
          .replaceAll('/var/backups/', `${first.folder}/`)
          .replace(
            /\bmariadb(-dump)?\b/,
            (name) => `${name === 'mariadb' ? client : dump} --defaults-file=${options}`,
          );
      await expectRestored(first, second, async () => {
        await shell(here(await documented('mariadb-dump '), first));
        await shell(here(await documented('gunzip '), second));
      });
    });
  },
);
