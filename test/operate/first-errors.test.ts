import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { needs } from '../support/programs.ts';
import { createTestDatabase, sharedDatabase } from '../support/test-database.ts';

describe('a mistyped path of SQLite', () => {
  test.each(['editions', 'rollback', 'switch 1', 'index', 'extract out'])('%s names it', async (line) => {
    const { folder } = await createTestDatabase('sqlite');
    const settings = {
      DATABASE_URL: `sqlite:${folder}/archvie.sqlite`,
      DERIVED_DIR: join(folder, 'derived'),
    };
    expect(await runApiHere(line.split(' '), settings)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `archive-api: DATABASE_URL: ${folder}/archvie.sqlite does not exist: expected a file that archive-api publish has made\n`,
    });
  });

  test('serve says in its log which database is empty', async () => {
    const database = await createTestDatabase('sqlite');
    const server = await serveDatabase(database, {}, { until: '/live' });
    await server.process.said(/"msg":"listening"/);
    await server.stop();
    const { stderr } = await server.process.ended;
    expect(stderr).toMatch(/"database":"[^"]*\.sqlite","msg":"nothing has been published yet/);
  });
});

describe('HOST', () => {
  test.each(['unix:/run/archive.sock', '/run/archive.sock', '[::1]', 'two hosts'])(
    '%s is refused with what is expected',
    async (host) => {
      const { code, stderr } = await runApiHere(['serve'], { HOST: host });
      expect(code).toBe(2);
      expect(stderr).toBe(
        `archive-api: HOST: expected an address or a name of this machine, such as 127.0.0.1 or ::, without brackets, got "${host}"\n`,
      );
    },
  );

  test('an address of another machine is named', async () => {
    const settings = settingsFor(await createTestDatabase('sqlite'), { HOST: '192.0.2.1' });
    const { code, stderr } = await runApiHere(['serve'], settings);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'HOST: 192.0.2.1 is no address of this machine; expected one such as 127.0.0.1 or ::\n',
    );
  });

  test(':: is reached by IPv6 and IPv4', needs('ipv6'), async () => {
    const server = await serveDatabase(await sharedDatabase('fixture', 'sqlite'), { HOST: '::' });
    const { port } = new URL(server.origin);
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${port}/en/api`)).status, host).toBe(200);
    await server.stop();
  });
});

test('SIGHUP lets a server finish the request in flight, and a publish change nothing', async () => {
  const database = await createTestDatabase('sqlite');
  const bundle = await writeFixture(join(database.folder, 'bundle'));
  await publishHere(database, bundle);
  const server = await serveDatabase(database);
  const response = await server.fetch('/en/api/dump/events.jsonl');
  server.process.kill('SIGHUP');
  expect((await response.text()).trim().split('\n')).toHaveLength(13);
  const { code, stderr } = await server.process.ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/"msg":"stopping: finishing the requests in flight"[\s\S]*"msg":"stopped"/);

  const publish = startProcess(['publish', bundle, '--force'], settingsFor(database));
  publish.kill('SIGHUP');
  expect(await publish.ended).not.toMatchObject({ code: 0 });
  expect((await runApiHere(['editions'], settingsFor(database))).stdout).toMatch(/^\* edition 1 .*\n$/);
});
