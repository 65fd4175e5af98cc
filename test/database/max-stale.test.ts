import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { serveDatabase } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { needs } from '../support/programs.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('MAX_STALE', needs('database-server'), () => {
  test('a server without its database responds 503 to everything after that time, cached pages too', {
    timeout: 120_000,
  }, async () => {
    const database = await createTestDatabase('mysql');
    await publishHere(database, await writeFixture(join(database.folder, 'bundle')));
    const proxy = await startTcpProxy(Number(new URL(database.url).port || 3306));
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const [strict, lenient] = await Promise.all([
      serveDatabase({ ...database, url: url.href }, { MAX_STALE: '4s' }),
      serveDatabase({ ...database, url: url.href }),
    ]);
    const page = '/en/api/persons';
    const ready = async () => (await strict.admin('/ready')).json();
    const before = await (await strict.fetch(page)).text();
    expect(await (await lenient.fetch(page)).text()).toBe(before);
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ ready: true });

    proxy.hang();
    await expect.poll(async () => (await strict.fetch(page)).status, { timeout: 60_000 }).toBe(503);
    const refused = await strict.fetch('/nl/api/persons');
    expect(await refused.json()).toMatchObject({
      type: expect.stringMatching(/\/problems\/not-current$/),
      title: 'Mogelijk niet actueel',
    });
    expect(refused.headers.get('Retry-After')).toBe('1');
    for (const path of [page, '/', '/en/docs', '/openapi.json', '/health'])
      expect((await strict.fetch(path, { redirect: 'manual' })).status, path).toBe(503);
    const html = await strict.fetch('/nl/', { headers: { Accept: 'text/html' } });
    expect(await html.text()).toContain('Mogelijk niet actueel');
    expect(await ready()).toMatchObject({
      ready: false,
      reason: expect.stringMatching(
        /^it is not confirmed that the database is current: (it has not answered|the database did not answer)/,
      ),
    });
    expect(await (await lenient.fetch(page)).text()).toBe(before);

    proxy.heal();
    await expect.poll(async () => (await strict.fetch(page)).status, { timeout: 60_000 }).toBe(200);
    expect(await (await strict.fetch(page)).text()).toBe(before);
    await Promise.all([strict.stop(), lenient.stop()]);
  });
});
