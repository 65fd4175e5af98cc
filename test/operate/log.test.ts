import { beforeAll, expect, test } from 'vitest';
import { startShared, type TestArchive } from '../support/api-server.ts';

let archive: TestArchive;
beforeAll(async () => {
  archive = await startShared('fixture', 'sqlite', { ACCESS_LOG: 'on', SLOW_MS: '1' });
});

/** The line of the log about a request. */
async function logged(path: string): Promise<Record<string, unknown>> {
  const response = await archive.fetch(path);
  await response.arrayBuffer();
  const id = response.headers.get('x-request-id');
  const [line] = await archive.process.said(new RegExp(`^.*"requestId":"${id}".*"msg":"answered.*$`, 'm'));
  return JSON.parse(line) as Record<string, unknown>;
}

test.each([
  ['/en/api/search?q=last_name:a', '/en/api/search'],
  ['/en/api/facets?q=last_name:a', '/en/api/facets'],
  ['/en/api/suggest?field=last_name&prefix=v', '/en/api/suggest'],
  ['/en/zoeken/?q=nummer', '/en/zoeken/'],
])(
  'the line about the slow %s has its level as a word, its status, and the times of search and database',
  async (path, route) => {
    const line = await logged(path);
    expect(line).toMatchObject({ level: 'warn', msg: 'answered slowly', method: 'GET', url: path, route });
    expect(line).toMatchObject({ status: 200, whole: true, edition: 1, cache: 'made' });
    expect(line['searchMilliseconds']).toBeGreaterThan(0);
    expect(line['databaseMilliseconds']).toBeGreaterThanOrEqual(0);
    expect(line['searchMilliseconds']).toBeLessThanOrEqual(Number(line['milliseconds']) + 1);
  },
);

test('the line about a list has the time of the database, and none of search', async () => {
  const line = await logged('/en/api/persons');
  expect(line['databaseMilliseconds']).toBeGreaterThan(0);
  expect(line['searchMilliseconds']).toBe(0);
});
