import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { freePort } from '../support/free-port.ts';
import { needs, placeOf } from '../support/programs.ts';
import { startProxy } from '../support/proxy.ts';
import { createTestDatabase } from '../support/test-database.ts';

const PERSONS = 60;

/** HAProxy before servers, of which the first that responds is used. */
async function startBalancer(program: string, port: number, servers: readonly { origin: string }[]) {
  const folder = await mkdtemp(join(tmpdir(), 'archive-fail-over-'));
  const lines = servers.map(
    ({ origin }, at) =>
      `  server s${at} ${new URL(origin).host} check inter 100ms fall 1${at === 0 ? '' : ' backup'}`,
  );
  await writeFile(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
frontend public
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  option httpchk GET /en/api
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response 502 503
${lines.join('\n')}
`,
  );
  return startProxy(program, ['-f', join(folder, 'haproxy.cfg')], port, folder);
}

describe('a walk by the key of an edition', needs('haproxy'), () => {
  test('goes on at a copy when the original stops, without a gap or a repeat', async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const [first, second] = [await createTestDatabase('sqlite'), await createTestDatabase('mysql')];
    const person = Array.from({ length: PERSONS }, (_, at) => ({
      ...{ id: at + 1, uuid: uuidOf('person', at + 1), last_name: `Vos ${at}` },
    }));
    await publishHere(first, await writeBundle(join(first.folder, 'bundle'), { person }));
    const original = await serveDatabase(first, { BASE_URL: address });
    const settings = { ...settingsFor(second), FOLLOW_DIR: join(second.folder, 'follow') };
    const alone = await startBalancer(placeOf('haproxy'), port, [original]);
    expect(await runApiHere(['follow', address, '--once'], settings)).toMatchObject({ code: 0 });
    await alone.stop();
    const copy = await serveDatabase(second, { BASE_URL: address });
    const balancer = await startBalancer(placeOf('haproxy'), port, [original, copy]);

    const { edition } = await (await fetch(`${address}/en/api/dump/manifest.json`)).json();
    const found: string[] = [];
    let pages = 0;
    for (let next = `${address}/en/api/persons?edition=${edition.key}`; next; pages += 1) {
      const response = await fetch(next);
      expect(response.status).toBe(200);
      const page = await response.json();
      found.push(...page.results.map(({ uuid }: { uuid: string }) => uuid));
      next = page.next;
      if (pages === 2) await original.stop();
      if (pages === 3) await sleep(300);
    }
    expect(pages).toBe(PERSONS / 10);
    expect(found).toEqual(person.map(({ uuid }) => uuid));
    await balancer.stop();
  });
});
