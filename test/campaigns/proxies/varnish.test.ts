import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { type RunningProxy, startVarnish } from '../../support/proxy.ts';
import { listNegotiated, representationOf } from '../../support/representations.ts';
import { type Answered, send } from '../../support/send.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** How long responses stay in the cache, in seconds. */
const MAX_AGE = 2;

const PATH = '/en/api/events?page=2';

describe('behind Varnish', needs('varnishd'), () => {
  const program = placeOf('varnishd');
  let folder: string;
  let database: TestDatabase;
  let server: ApiServer;
  let varnish: RunningProxy;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase('sqlite');
    await publishBundle(database, await makeBundle(folder, { records: 200, seed: 1 }));
    const settings = { CACHE_CONTROL: `public, max-age=${MAX_AGE}`, LOG_LEVEL: 'debug' };
    server = await serveDatabase(database, settings);
    varnish = await startVarnish(program, Number(new URL(server.origin).port));
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    send(`http://127.0.0.1:${varnish.port}${path}`, headers);
  const askServer = (path: string, headers: Record<string, string> = {}) =>
    send(server.origin + path, headers);
  /** Varnish adds the id of the request that filled the cache. */
  const isHit = ({ headers }: Answered) => String(headers['x-varnish']).includes(' ');
  const textOf = ({ headers, body }: Answered) =>
    (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  /** Requests for a path that reached the server, from its log. */
  const arrived = (path: string) =>
    server.process
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"msg":"answered"') && line.includes(`"url":"${path}"`))
      .map((line) => Number(JSON.parse(line).status));

  test('a response is fetched once for all codings and Accept headers', async () => {
    const path = '/nl/api/locations';
    const own = await askServer(path);
    const headers = [
      { 'Accept-Encoding': 'gzip' },
      {},
      { 'Accept-Encoding': 'br, gzip', Accept: 'application/json' },
      { 'Accept-Encoding': 'identity', Accept: 'text/html, */*;q=0.1', Cookie: 'a=b' },
    ];
    const answers: Answered[] = [];
    for (const each of headers) answers.push(await ask(path, each));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map((answer) => answer.headers['content-encoding'])).toEqual([
      'gzip',
      undefined,
      'gzip',
      undefined,
    ]);
    for (const answer of answers) expect(textOf(answer)).toBe(own.body.toString());
    expect(answers.slice(1).every(isHit)).toBe(true);
    await expect.poll(() => arrived(path)).toHaveLength(2);
  });

  test('every representation is the same as without it, cached or not', async () => {
    const [person] = JSON.parse((await askServer('/en/api/persons')).body.toString()).results;
    for (let time = 0; time < 2; time += 1) {
      for (const { path, headers } of listNegotiated(person.uuid)) {
        const [own, cached] = [await askServer(path, headers), await ask(path, headers)];
        expect(representationOf(cached), `${path} ${JSON.stringify(headers)}`).toEqual(representationOf(own));
      }
    }
  });

  test('a conditional request gets a 304, in either coding', async () => {
    for (const coding of ['gzip', 'identity']) {
      const { headers } = await ask(PATH, { 'Accept-Encoding': coding });
      const held = { 'Accept-Encoding': coding, 'If-None-Match': String(headers.etag) };
      const answer = await ask(PATH, held);
      expect(answer.status).toBe(304);
      expect(answer.body.length).toBe(0);
      expect((await ask(PATH, { ...held, 'If-None-Match': '"other"' })).status).toBe(200);
    }
  });

  test('a stale response is revalidated with its tag, and not sent again', async () => {
    const path = '/en/api/subjects';
    const first = await ask(path, { 'Accept-Encoding': 'gzip' });
    while (!arrived(path).includes(304)) {
      const again = await ask(path, { 'Accept-Encoding': 'gzip' });
      expect(again.status).toBe(200);
      expect(again.body.equals(first.body)).toBe(true);
    }
    expect(arrived(path).filter((status) => status === 200)).toHaveLength(1);
  });

  test('a cut download can be resumed', async () => {
    const path = '/en/api/dump/persons.jsonl';
    const whole = await askServer(path, { 'Accept-Encoding': 'identity' });
    const etag = String(whole.headers.etag);
    const rest = await ask(path, { Range: 'bytes=100-', 'If-Range': etag });
    expect(rest.status).toBe(206);
    expect(rest.headers['content-range']).toBe(`bytes 100-${whole.body.length - 1}/${whole.body.length}`);
    expect(rest.body.equals(whole.body.subarray(100))).toBe(true);
    expect((await ask(path, { Range: 'bytes=100-', 'If-Range': '"other"' })).status).toBe(200);
  });

  test('errors are not cached', async () => {
    for (let time = 0; time < 2; time += 1) {
      const answer = await ask('/en/api/persons?page=99');
      expect(answer.status).toBe(404);
      expect(isHit(answer)).toBe(false);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });

  test('a publish is visible within max-age, and no response mixes editions', async () => {
    const before = textOf(await askServer(PATH));
    const old = await ask(PATH, { 'Accept-Encoding': 'gzip' });
    await ask('/en/api/events?edition=1');
    await publishBundle(database, await makeBundle(folder, { records: 200, seed: 2 }));
    await untilServed(server, 2);
    const after = textOf(await askServer(PATH));
    expect(after).not.toBe(before);

    const switched = performance.now();
    const seen = new Set<string>();
    while (!['gzip', 'identity'].every((coding) => seen.has(`2 ${coding}`))) {
      for (const coding of ['gzip', 'identity']) {
        const answer = await ask(PATH, { 'Accept-Encoding': coding });
        expect(answer.status).toBe(200);
        const edition = answer.headers['archive-edition'];
        expect(textOf(answer)).toBe(edition === '1' ? before : after);
        seen.add(`${edition} ${coding}`);
      }
      // Varnish may serve a stale response once more while it revalidates, within its default grace of ten seconds.
      expect(performance.now() - switched).toBeLessThan((MAX_AGE + 10) * 1_000);
    }
    const held = { 'Accept-Encoding': 'gzip', 'If-None-Match': String(old.headers.etag) };
    expect((await ask(PATH, held)).status).toBe(200);

    const pinned = await ask('/en/api/events?edition=1');
    expect(isHit(pinned)).toBe(true);
    expect(pinned.headers['archive-edition']).toBe('1');
  });
});
