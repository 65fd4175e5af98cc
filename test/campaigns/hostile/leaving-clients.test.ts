import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { callOf } from '../../support/ask-archive.ts';
import { makeBundle } from '../../support/bundles.ts';
import { listEveryPath } from '../../support/every-path.ts';
import { readFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeEngines } from '../../support/test-database.ts';

/** Clients of each address. */
const CLIENTS = Number(process.env['LEAVING_CLIENTS'] ?? 10);

/** They leave within this time, in milliseconds: most responses are made in it. */
const LONGEST = 12;

/** What is given back when its client leaves. */
const GIVEN_BACK = [
  'archive_requests_under_way',
  'archive_requests_waiting',
  'archive_downloads_under_way',
  'archive_search_waiting',
  'archive_database_waiting',
];

/** A request with a body. */
const post = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAccept: application/json, text/event-stream\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const POSTS = [
  post('/oai', 'application/x-www-form-urlencoded', 'verb=ListRecords&metadataPrefix=oai_dc'),
  post('/mcp', 'application/json', JSON.stringify(callOf('search_archive', { query: 'jan' }))),
  post('/mcp', 'application/json', JSON.stringify(callOf('describe_archive', {}))),
];

describeEngines('clients that leave (%s)', (engine) => {
  let archive: TestArchive;
  beforeAll(async () => {
    const bundle = await makeBundle(await temporaryFolder(), { records: 2_000, seed: 7 });
    archive = await startApi({
      engine,
      bundle,
      settings: { MAX_DOWNLOADS: '4', MAX_REQUESTS: '4', CACHE_MB: '8' },
    });
  });

  test(`${CLIENTS} of each address, at random moments: every slot is free afterwards`, {
    timeout: 60_000 + CLIENTS * 10_000,
  }, async () => {
    const port = Number(new URL(archive.origin).port);
    const paths = await listEveryPath(archive.origin);
    const requests = [...POSTS, ...paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)];
    const leave = async (request: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      // Some leave within the request, most while it is answered.
      socket.write(Math.random() < 0.1 ? request.slice(0, -Math.ceil(Math.random() * 20)) : request);
      await sleep(Math.random() * LONGEST);
      socket.destroy();
    };
    for (let round = 0; round < CLIENTS; round += 1) {
      const shuffled = requests.toSorted(() => Math.random() - 0.5);
      for (let start = 0; start < shuffled.length; start += 8)
        await Promise.all(shuffled.slice(start, start + 8).map(leave));
    }
    await expect
      .poll(
        async () => {
          const figures = await readFigures(archive);
          return GIVEN_BACK.map((name) => figures[name]);
        },
        { timeout: 30_000 },
      )
      .toEqual(GIVEN_BACK.map(() => 0));
    for (let count = 0; count < 8; count += 1) {
      const response = await archive.fetch('/en/api/dump/events.csv');
      expect(response.status).toBe(200);
      await response.text();
    }
    expect(archive.process.stderr()).not.toMatch(/"level":"error"|MaxListenersExceeded/);
  });
});
