import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeEngines } from '../../support/test-database.ts';

const SETTINGS = { MAX_REQUESTS: '1', MAX_DOWNLOADS: '1', CACHE_MB: '16' };

/**
 * Searches of a named edition, which wait in the queue of all requests: each takes a few milliseconds in the search thread.
 * Meanwhile, the other requests arrive.
 */
const SLOW = 300;

/** More than the limit of queued requests. */
const REQUESTS = 1_500;

/** Opens a connection for each path, so that all requests can be sent at once. @returns sends them, and reads the answers */
async function prepare(origin: string, paths: readonly string[]): Promise<() => Promise<string[]>> {
  const { hostname, port } = new URL(origin);
  const sockets = await Promise.all(
    paths.map(async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      return socket;
    }),
  );
  return async () => {
    const answers = sockets.map((socket) => text(socket));
    for (const [index, socket] of sockets.entries())
      socket.write(`GET ${paths[index]} HTTP/1.1\r\nHost: archive\r\nConnection: close\r\n\r\n`);
    return await Promise.all(answers);
  };
}

describeEngines('overload (%s)', (engine) => {
  let folder: string;
  let archive: TestArchive;
  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = await startApi({
      engine,
      bundle: await makeBundle(folder, { records: 3_000, seed: 1 }),
      settings: SETTINGS,
    });
  });

  test('gets 503 with Retry-After; cached responses are still sent', async () => {
    const hot = '/en/api/persons';
    expect((await archive.fetch(hot, { headers: { 'accept-encoding': 'identity' } })).status).toBe(200);
    const paths = Array.from({ length: REQUESTS }, () => `/en/api/persons/${randomUUID()}`);
    const { editions } = JSON.parse(await (await archive.fetch('/api/editions')).text());
    const slow = Array.from(
      { length: SLOW },
      (_, index) => `/en/api/facets?q=van+OR+word${index}&edition=${editions[0].id}`,
    );
    const sendAll = await prepare(archive.origin, [...slow, ...paths, hot]);
    const answers = (await sendAll()).slice(SLOW);
    expect(answers.pop()).toMatch(/^HTTP\/1.1 200 /);
    expect(new Set(answers.map((answer) => answer.slice(9, 12)))).toEqual(new Set(['404', '503']));
    for (const answer of answers.filter((each) => each.startsWith('HTTP/1.1 503'))) {
      expect(answer).toMatch(/\r\nretry-after: [1-9]/i);
      expect(answer).toContain(`"type":"${archive.baseUrl}/problems/overloaded"`);
    }
    expect((await archive.fetch('/en/api/events?page=2')).status).toBe(200);
  });

  test('downloads have a separate limit, and free their slot when they end or are cut', async () => {
    const path = '/en/api/dump/events.jsonl';
    const first = await archive.fetch(path);
    expect((await archive.fetch(path)).status).toBe(503);
    expect((await archive.fetch('/en/api/subjects?page=2')).status).toBe(200);
    await first.body?.cancel();
    await expect.poll(async () => (await archive.fetch(path, { method: 'HEAD' })).status).toBe(200);
    expect((await (await archive.fetch(path)).text()).length).toBeGreaterThan(0);
    expect((await archive.fetch(path, { method: 'HEAD' })).status).toBe(200);
  });
});
