import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { readFigures } from '../support/figures.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

describe('clients that leave before their response', () => {
  let database: TestDatabase;
  let server: ApiServer;
  beforeAll(async () => {
    // Only here can a test hold up a statement of the server.
    database = await createTestDatabase('mysql');
    await publishHere(database, await writeFixture(database.folder));
    server = await serveDatabase(database, { MAX_DOWNLOADS: '1' });
  });

  const open = async (request: string) => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request);
    return socket;
  };
  const figure = async (name: string) => (await readFigures(server))[name] ?? 0;

  test('give back the slot of a download', async () => {
    const other = openDatabase(database);
    const connection = await other.client.acquireConnection();
    await other.raw('lock tables blocks write').connection(connection);
    const socket = await open('GET /en/api/dump/events.jsonl HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => figure('archive_requests_under_way')).toBe(1);
    socket.destroy();
    await expect.poll(() => figure('archive_requests_total')).toBeGreaterThan(0);
    await other.raw('unlock tables').connection(connection);
    await other.client.releaseConnection(connection);
    await other.destroy();
    await expect.poll(() => figure('archive_requests_under_way')).toBe(0);
    expect(await figure('archive_downloads_under_way')).toBe(0);
    expect((await server.fetch('/en/api/dump/persons.csv')).status).toBe(200);
  });

  test('are no fault of the server when they leave within a form', async () => {
    const before = await figure('archive_requests_total');
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const socket = await open(
      `POST /oai HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 100\r\n\r\nverb=Identi`,
    );
    // Answered after the request on the other connection has arrived.
    await server.fetch('/en/api');
    socket.destroy();
    await expect.poll(() => figure('archive_requests_total')).toBeGreaterThan(before + 1);
    await server.process.said(/"msg":"the connection was closed during a response"/);
    await server.fetch('/en/api');
    expect(server.process.stderr()).not.toContain('"msg":"request failed"');
  });
});
