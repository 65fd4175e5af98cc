import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { needs } from '../../support/programs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

let database: TestDatabase;
let server: ApiServer;
beforeAll(async () => {
  database = await createTestDatabase('sqlite');
  const bundle = await writeFixture(join(database.folder, 'bundle'));
  for (let edition = 1; edition <= 2; edition += 1) await publishBundle(database, bundle);
  server = await serveDatabase(database, { CACHE_MB: '0' });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

/** One connection, opened before the limit is reached. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ask = async (path: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  get(server.origin + path, { agent }, async (answer) =>
    resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
  ).on('error', reject);
  return await promise;
};

/** Maximum number of open files of the server. */
const allow = (files: number) =>
  promisify(execFile)('prlimit', ['--pid', String(server.process.pid), `--nofile=${files}:4096`]);

/** The index files, with values that distinguish files of the same name. */
const indexes = async () => {
  const derived = join(database.folder, 'derived');
  const names = await readdir(derived, { recursive: true });
  const files = names.filter((name) => name.endsWith('.sqlite')).toSorted();
  return await Promise.all(
    files.map(async (name) => {
      const { ino, mtimeMs } = await stat(join(derived, name));
      return { name, ino, mtimeMs };
    }),
  );
};

test(
  'an index that cannot be opened because of too many open files is not built again',
  needs('prlimit'),
  async () => {
    expect((await ask('/en/api/search?q=e')).status).toBe(200);
    const before = await indexes();
    expect(before).toHaveLength(2);

    const open = (await readdir(`/proc/${server.process.pid}/fd`)).length;
    await allow(open);
    const refused = await ask('/en/api/search?q=e&edition=1');
    expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('search-unavailable') });
    expect((await ask('/en/api/persons')).status).toBe(200);

    await allow(4_000);
    await expect
      .poll(async () => (await ask('/en/api/search?q=e&edition=1')).status, { timeout: 10_000 })
      .toBe(200);
    expect(await indexes()).toEqual(before);
  },
);
