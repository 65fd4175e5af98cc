import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle, runApi, type Settings, settingsFor } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { freePort } from '../../support/free-port.ts';
import { needs, placeOf } from '../../support/programs.ts';
import {
  type RunningProxy,
  startCaddy,
  startHaproxy,
  startNginx,
  startVarnish,
} from '../../support/proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** A proxy with a certificate of its own: its public URL, and settings with which `doctor` trusts it. */
const BEHIND_TLS = {
  url: (port: number) => `https://127.0.0.1:${port}/archive`,
  trust: ({ folder }: RunningProxy): Settings => ({ NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem') }),
};

/** The documented proxies: how each is started before a port, its public URL, and settings with which `doctor` trusts it. */
const PROXIES = [
  {
    ...BEHIND_TLS,
    name: 'nginx',
    programs: ['nginx', 'openssl'],
    start: (backend: number) => startNginx(placeOf('nginx'), backend),
  },
  {
    ...BEHIND_TLS,
    name: 'HAProxy',
    programs: ['haproxy', 'openssl'],
    start: (backend: number) => startHaproxy(placeOf('haproxy'), backend),
  },
  {
    ...BEHIND_TLS,
    name: 'Caddy',
    programs: ['caddy', 'openssl'],
    start: (backend: number) => startCaddy(placeOf('caddy'), backend),
  },
  {
    name: 'Varnish',
    programs: ['varnishd'],
    start: (backend: number) => startVarnish(placeOf('varnishd'), backend),
    url: (port: number) => `http://127.0.0.1:${port}`,
    trust: (): Settings => ({}),
  },
];

describe.each(PROXIES)('doctor through $name', ({ programs, start, url, trust }) => {
  describe('of an archive', needs(...programs), () => {
    let database: TestDatabase;
    let proxy: RunningProxy;
    let server: ApiServer;
    beforeEach(async () => {
      database = await createTestDatabase('sqlite');
      await publish(1);
      const PORT = await freePort();
      proxy = await start(PORT);
      server = await serveDatabase(database, { PORT: String(PORT), BASE_URL: url(proxy.port) });
    });
    afterEach(async () => {
      await server?.stop();
      await proxy?.stop();
    });
    const publish = async (seed: number) =>
      publishBundle(database, await makeBundle(database.folder, { records: 300, seed }));

    test('finds no fault, before and right after a publish', async () => {
      const settings = settingsFor(database, { BASE_URL: url(proxy.port), ...trust(proxy) });
      const before = await runApi(['doctor'], settings);
      expect(before.code, before.stdout + before.stderr).toBe(0);
      await publish(2);
      await untilServed(server, 2);
      const after = await runApi(['doctor'], settings);
      expect(after.code, after.stdout + after.stderr).toBe(0);
    });
  });
});
