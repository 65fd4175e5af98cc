import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { runApi, startProcess } from '../support/api-process.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(
    join(folder, 'letter.txt'),
    'A letter of some length, which is not a database.\n'.repeat(10),
  );
  await mkdir(join(folder, 'folder'));
});

const SAMPLE = new URL('../../apps/api/sample', import.meta.url).pathname;

function settingsOf(url: string) {
  return {
    DATABASE_URL: url,
    DERIVED_DIR: join(folder, 'derived'),
    BASE_URL: 'http://unused.test',
    PORT: '0',
  };
}

/** The error message of a command for an unusable database. */
async function said(command: string, url: string): Promise<string> {
  const settings = settingsOf(url);
  const args = command === 'publish' ? [command, SAMPLE] : [command];
  // A server waits for its database; this one must end with the test.
  const { code, stdout, stderr } = await (command === 'serve' ? runApi : runApiHere)(args, settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}

/** Why a server waits for its database, from its log. */
async function reasonToWait(url: string): Promise<string | undefined> {
  const server = startProcess(['serve'], settingsOf(url));
  const [, reason] = await server.said(/"reason":"([^"]*)","msg":"the database cannot be reached; retrying/);
  server.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  return reason;
}

const COMMANDS = ['publish', 'serve', 'editions'];

describe('one line names the file or server, the setting and the error', () => {
  test.each(COMMANDS)('%s: a file that is not a database', async (command) => {
    const file = join(folder, 'letter.txt');
    expect(await said(command, `sqlite:${file}`)).toBe(
      `archive-api: DATABASE_URL: cannot open ${file}: file is not a database\n`,
    );
  });

  test.each(COMMANDS)('%s: a folder', async (command) => {
    const file = join(folder, 'folder');
    expect(await said(command, `sqlite:${file}`)).toBe(
      `archive-api: DATABASE_URL: cannot open ${file}: unable to open database file\n`,
    );
  });

  test.each(['publish', 'editions'])('%s: a server that is not running', async (command) => {
    const host = `127.0.0.1:${await freePort()}`;
    expect(await said(command, `mysql://root:secret@${host}/archive`)).toBe(
      `archive-api: DATABASE_URL: cannot connect to ${host}: connect ECONNREFUSED ${host}\n`,
    );
  });

  test('serve, which waits: a server that is not running, and an unknown host', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    expect(await reasonToWait(`mysql://root:secret@${host}/archive`)).toBe(
      `DATABASE_URL: cannot connect to ${host}: connect ECONNREFUSED ${host}`,
    );
    expect(await reasonToWait('mysql://root@nowhere.invalid/archive')).toMatch(
      /^DATABASE_URL: cannot connect to nowhere\.invalid:3306: getaddrinfo \w+ nowhere\.invalid$/,
    );
  });

  test('a missing database', needs('database-server'), async () => {
    const url = new URL(inject('mysqlUrl') ?? '');
    expect(await said('serve', `${url.href}archive_test_of_nobody`)).toBe(
      `archive-api: DATABASE_URL: cannot connect to ${url.host}: Unknown database 'archive_test_of_nobody'\n`,
    );
  });
});

test('reading a missing file does not create it', async () => {
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'new', 'archive.sqlite')}` };
  const { code, stderr } = await runApiHere(['editions'], settings);
  expect(code).toBe(1);
  expect(stderr).toContain('archive.sqlite does not exist');
  expect(await readdir(folder)).toEqual(['folder', 'letter.txt']);
});
