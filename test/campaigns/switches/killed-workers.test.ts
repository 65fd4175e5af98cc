import { beforeAll, expect, test } from 'vitest';
import { publishBundle, type Running, settingsFor, startProcess } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { childrenOf } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

describeEngines('serve --workers (%s)', (engine) => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase(engine);
    await publishBundle(database, await writeFixture(folder));
  });

  const start = async (port: number, workers: number): Promise<Running> => {
    const args = ['--workers', String(workers)];
    return (await serveDatabase(database, { PORT: String(port) }, { args, until: '/ready' })).process;
  };
  const bodies = async (port: number) => {
    const paths = [
      '/en/api/persons',
      '/nl/api/events',
      '/en/api/search?q=last_name:a',
      '/en/api/locations?page=9999',
    ];
    // A reused connection may lead to a killed worker: a request sent before the client sees its end is lost.
    const headers = { Connection: 'close' };
    return Promise.all(
      paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text()),
    );
  };

  test.each([
    ['dies', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const)('responds as one process does, and replaces a worker that %s', async (_, signal) => {
    const port = await freePort();
    const alone = await start(port, 1);
    const expected = await bodies(port);
    alone.kill('SIGTERM');
    await alone.ended;

    const running = await start(port, 2);
    const [first = 0, second = 0] = childrenOf(running.pid);
    expect(first).not.toBe(second);
    expect(await bodies(port)).toEqual(expected);

    process.kill(second, signal);
    await expect.poll(() => childrenOf(running.pid), { timeout: 30_000 }).not.toContain(second);
    expect(await bodies(port)).toEqual(expected);
    await expect.poll(() => childrenOf(running.pid), { timeout: 10_000 }).toHaveLength(2);
    expect(await bodies(port)).toEqual(expected);

    running.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  test('ends with a clear error if the port is in use', async () => {
    const port = await freePort();
    const running = await start(port, 1);
    const late = startProcess(['serve', '--workers', '2'], settingsFor(database, { PORT: String(port) }));
    const { code, stderr } = await late.ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`PORT: ${port} on 127.0.0.1 is in use; expected a free port`);
    running.kill('SIGTERM');
    await running.ended;
  });
});
